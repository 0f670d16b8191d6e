import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify'
import { unauthorized } from '../access/access.ts'
import type { Callers } from '../access/callers.ts'
import { problemAnswer } from '../problem.ts'
import { ownHook } from './served-route.ts'

/**
 * A guard of a context refuses in words of its own, and so tells that there is a flow behind it. Whoever comes to a
 * webhook without a good key must not learn that: to them every refusal reads like that of a flow that is not there.
 * Who has a key may know of flows, and reads what the guard says.
 */
export function hideRefusals(scope: FastifyInstance, callers: Pick<Callers, 'identify'>): void {
  const hide: onSendHookHandler = (request, reply, payload, done) => {
    if (reply.statusCode !== 401 || isKnown(request, callers)) return done(null, payload)
    const { headers, text } = problemAnswer(unauthorized())
    // The challenge names the guard; the length is that of its own words.
    for (const name of ['www-authenticate', 'content-length']) reply.removeHeader(name)
    // The charset is what Fastify adds to a text, which this hook comes too late for.
    reply.headers({ ...headers, 'content-type': `${headers['content-type']}; charset=utf-8` })
    done(null, text)
  }
  scope.addHook('onSend', ownHook(hide))
}

/** Somebody whose session another site makes use of is known, and refused for that elsewhere. */
function isKnown(request: FastifyRequest, callers: Pick<Callers, 'identify'>): boolean {
  try {
    return callers.identify(request) !== undefined
  } catch {
    return true
  }
}
