import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { WebhookEntry } from '../../library/webhook-entry.ts'
import { forbidden, unauthorized } from '../access/access.ts'
import type { Callers } from '../access/callers.ts'
import { askedOfCaller, keyRefusal } from './admission.ts'
import { type SenderGuard, secretInvalid } from './sender-guard.ts'
import { carriesSignature, isSignedBy, schemeOf } from './signatures/schemes.ts'
import { signatureInvalid } from './signatures/signature-fault.ts'
import { NO_BODY } from './webhook-body.ts'

interface AdmitDeps {
  readonly library: FlowLibrary
  readonly callers: Callers
  readonly senders: SenderGuard
  readonly clock: Clock
  /** Where people reach the service; null where nobody said. */
  readonly publicUrl: string | null
}

/** Who may pass before the body is read. */
export function admit(request: FastifyRequest, deps: AdmitDeps): LiveFlow {
  const { library, callers, senders, clock } = deps
  const flow = library.find((request.params as { flow: string }).flow)
  switch (askedOfCaller(flow)) {
    case 'nothing':
      return flow!
    case 'signature': {
      const entry = flow!.webhook!
      if (carriesSignature(schemeOf(entry), request.headers)) return flow!
      // A key does not open it; but a wrong one counts, and is answered, as for a flow that is not there.
      callers.identify(request)
      throw signatureInvalid(entry, request.headers, secondsOf(clock))
    }
    case 'secret': {
      const entry = flow!.webhook!
      if (senders.admits(flow!, entry, request)) return flow!
      callers.identify(request)
      throw secretInvalid(entry)
    }
    case 'key':
      return admitByKey(callers.identify(request), flow)
  }
}

function admitByKey(actor: Actor | undefined, flow: LiveFlow | undefined): LiveFlow {
  switch (keyRefusal(actor, flow)) {
    case 'no key':
      throw unauthorized()
    case 'no flow':
      throw flowNotFound()
    case 'no right':
      throw forbidden(actor!, 'trigger')
    case undefined:
      return flow!
  }
}

/** Whatever hooks have made of the body: a sender signs what it sends. */
export function assertSigned(
  request: FastifyRequest,
  entry: WebhookEntry,
  { clock, publicUrl }: AdmitDeps
): void {
  const { method, headers, sentBodies } = request
  const now = secondsOf(clock)
  const scheme = schemeOf(entry)
  const url = calledAddress(request, publicUrl)
  // Some senders sign and then pack, others pack and then sign.
  const isSigned = (sentBodies ?? [NO_BODY]).some((body) =>
    entry.signingSecrets.some((secret) => isSignedBy(scheme, { method, url, headers, body }, secret, now))
  )
  if (!isSigned) throw signatureInvalid(entry, headers, now)
}

/** As the sender wrote it: what an operator says of the service, else what the request, or a trusted proxy, says. */
export function calledAddress(
  { protocol, host, url }: Pick<FastifyRequest, 'protocol' | 'host' | 'url'>,
  publicUrl: string | null
): string {
  return (publicUrl?.replace(/\/$/, '') ?? `${protocol}://${host}`) + url
}

function secondsOf(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}
