import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { canSee, seesAll } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { RunFilter } from '../../store/store.ts'
import { actorOf, visibleFlows } from '../access/access.ts'
import { readTime } from '../requests/read-time.ts'

/** What questions about runs have in common. */

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
  if (text === undefined) return undefined
  const ms = readTime(text)
  if (ms !== undefined) return ms
  throw badQuery(
    name,
    `"${name}" is ${JSON.stringify(text)}. Write a time as ISO 8601, for example 2026-01-31T12:00:00Z.`
  )
}

/** The place in the list after which to go on, as an earlier answer gave it. */
export function cursorOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw badCursor(text)
}

export function badCursor(text: string): MillraceError {
  return badQuery(
    'cursor',
    `"cursor" is ${JSON.stringify(text)}. Send the next_cursor of an earlier answer, or none to start from the beginning.`,
    'unknown_cursor'
  )
}

/** `code` of the fault: another one than of the shape where any text of the right kind may be sent. */
export function badQuery(name: string, message: string, code = 'invalid_shape'): MillraceError {
  return new MillraceError('invalid_request', message, { errors: [{ code, path: `/${name}`, message }] })
}

interface ChildQuery {
  readonly node?: string
  readonly from_index?: number
  readonly below_index?: number
}

/** Which of the children of a run are asked for. */
export function childrenOf({ node, from_index, below_index }: ChildQuery): Pick<RunFilter, 'childrenOf'> {
  if (node === undefined) return {}
  return {
    childrenOf: {
      node,
      ...(from_index === undefined ? {} : { fromIndex: from_index }),
      ...(below_index === undefined ? {} : { belowIndex: below_index })
    }
  }
}
