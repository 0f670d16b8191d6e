import type { FastifyRequest } from 'fastify'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { canSee } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { type FlowBin, KEPT_FOR_MS } from '../../runs/retention/flow-bin.ts'
import type { BinQuestion, RemovedFlow } from '../../store/flow-standing.ts'
import { actorOf } from '../access/access.ts'
import { badCursor } from '../runs/run-query.ts'
import { readableDocument } from './flow-access.ts'
import { presentFlow } from './present-flow.ts'

export interface DeletedQuestion {
  readonly limit: number
  /** Of documents; one flow is always in the page. */
  readonly mostCharacters: number
  readonly cursor: string
  readonly matches: (flow: { readonly context: string; readonly document: FlowDocument }) => boolean
}

interface DeletedDeps {
  readonly bin: Pick<FlowBin, 'list'>
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly library: Pick<FlowLibrary, 'readDocument'>
}

/** Read at once; those that the caller may not see are passed over. */
const READ_AT_ONCE = 100

/** A page of the deleted flows that the caller sees, those that were deleted last first. */
export async function listDeleted(
  request: FastifyRequest,
  { limit, mostCharacters, cursor, matches }: DeletedQuestion,
  { bin, catalogue, library }: DeletedDeps
) {
  const actor = actorOf(request)
  const flows: ReturnType<typeof present>[] = []
  let last: RemovedFlow | undefined
  let characters = 0
  for (let after = placeOf(cursor); ; ) {
    const found = await bin.list({ ...after, limit: READ_AT_ONCE })
    for (const flow of found) {
      if (!canSee(actor, flow)) continue
      const document = await library.readDocument(flow.document)
      if (!matches({ context: flow.context, document })) continue
      characters += flow.document.length
      const isFull = flows.length === limit || characters > mostCharacters
      if (isFull && last !== undefined) return { flows, next_cursor: `${last.deletedAt}.${last.id}` }
      flows.push(present(flow, readableDocument(request, document, catalogue)))
      last = flow
    }
    if (found.length < READ_AT_ONCE) return { flows, next_cursor: null }
    after = { after: found.at(-1)! }
  }
}

function present(flow: RemovedFlow, document: FlowDocument) {
  return {
    ...presentFlow({ ...flow, document, warnings: [] }),
    deleted_at: timeText(flow.deletedAt),
    deleted_by: flow.deletedBy,
    deleted_until: timeText(flow.deletedAt + KEPT_FOR_MS)
  }
}

function placeOf(cursor: string): Pick<BinQuestion, 'after'> {
  if (cursor === '') return {}
  const [, deletedAt, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (deletedAt !== undefined && id !== undefined) return { after: { deletedAt: Number(deletedAt), id } }
  throw badCursor(cursor)
}
