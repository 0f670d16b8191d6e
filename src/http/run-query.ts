import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../errors.ts'
import { canSee, seesAll } from '../keys/rights.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import { actorOf, visibleFlows } from './access.ts'

/** What questions about runs have in common. */

/** A filter that is left blank, as a form sends it, is none. */
export function leaveOutBlanks(query: Record<string, unknown>): void {
  for (const name of Object.keys(query)) {
    if (query[name] === '') delete query[name]
  }
}

/** The flows whose runs are asked for; undefined means all, those of deleted flows included. */
export function flowIdsOf(
  request: FastifyRequest,
  reference: string | undefined,
  library: FlowLibrary
): string[] | undefined {
  if (reference === undefined) {
    return seesAll(actorOf(request)) ? undefined : visibleFlows(request, library).map((flow) => flow.id)
  }
  const flow = library.find(reference)
  if (flow === undefined) return seesAll(actorOf(request)) ? [reference] : []
  return canSee(actorOf(request), flow) ? [flow.id] : []
}

export function timeOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  const ms = Date.parse(text)
  if (!Number.isNaN(ms)) return ms
  throw badQuery(
    name,
    `"${name}" is ${JSON.stringify(text)}. Write a time as ISO 8601, for example 2026-01-31T12:00:00Z.`
  )
}

export function badQuery(name: string, message: string): MillraceError {
  return new MillraceError('invalid_request', message, {
    errors: [{ code: 'invalid_shape', path: `/${name}`, message }]
  })
}
