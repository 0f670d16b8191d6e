import type { Static } from 'typebox'
import type { Fault } from '../../errors.ts'
import { MOST, MOST_FIELDS } from '../document/flow-document.ts'
import type { Turns } from '../in-turns.ts'
import { Type } from '../json/schema-builder.ts'
import { sizeCheck } from '../json/too-large-parts.ts'
import { completeInTurns } from './complete-document.ts'
import { shapeCheck } from './shape-check.ts'
import { sizeFaults } from './size-faults.ts'

/** Of a draft, of a node, an edge or a note: more than any of them has, so that what nobody knows yet is kept. */
export const MOST_MEMBERS = 100

export const DraftFields = Type.Record(Type.String(), Type.Unknown(), { maxProperties: MOST_FIELDS })
const Node = Type.Object({ fields: DraftFields }, { maxProperties: MOST_MEMBERS })
const Part = Type.Object({}, { maxProperties: MOST_MEMBERS })

/** What a draft has at the least. */
export const draftMembers = {
  nodes: Type.Array(Node, { maxItems: MOST.nodes }),
  edges: Type.Array(Part, { maxItems: MOST.edges }),
  notes: Type.Optional(Type.Array(Part, { maxItems: MOST.notes }))
}

/**
 * What a draft has to be at the least: lists of nodes, edges and notes, as long as a flow may have them. Whatever else is
 * wrong with it is a fault that is told and kept, since nobody writes a flow without faults in between.
 */
const DraftDocument = Type.Object(draftMembers, { maxProperties: MOST_MEMBERS })

const shape = shapeCheck(DraftDocument)
const sizesOf = sizeCheck(DraftDocument)

export type DraftDocument = Readonly<Record<string, unknown>> & Static<typeof DraftDocument>

type DraftReading =
  | { readonly document: DraftDocument; readonly faults?: undefined }
  | { readonly faults: readonly Fault[]; readonly document?: undefined }

/** What only a draft as it was read has. */
const READ_ONLY = ['revision', 'base_version', 'live_version', 'behind', 'errors', 'author']

export function* readDraftInTurns(sent: Readonly<Record<string, unknown>>): Turns<DraftReading> {
  // Before anything is done with them: to copy an object takes as long as it has members.
  const tooLarge = sizesOf(sent)
  if (tooLarge.length > 0) return { faults: sizeFaults(tooLarge) }
  yield
  const given = Object.fromEntries(Object.entries(sent).filter(([name]) => !READ_ONLY.includes(name)))
  const document = yield* completeInTurns(given)
  yield
  const faults = yield* shape(document)
  return faults === undefined ? { document: document as DraftDocument } : { faults }
}
