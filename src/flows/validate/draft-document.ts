import type { Static } from 'typebox'
import { Compile, Errors } from 'typebox/schema'
import type { Fault } from '../../errors.ts'
import { MOST } from '../document/flow-document.ts'
import { Type } from '../json/schema-builder.ts'
import { shapeFaults } from '../json/shape-faults.ts'
import { sizeCheck } from '../json/too-large-parts.ts'
import { completeDocument } from './complete-document.ts'
import { sizeFaults } from './size-faults.ts'

/**
 * What a draft has to be at the least: lists of nodes, edges and notes, as long as a flow may have them. Whatever else is
 * wrong with it is a fault that is told and kept, since nobody writes a flow without faults in between.
 */
const DraftDocument = Type.Object({
  nodes: Type.Array(Type.Object({ fields: Type.Record(Type.String(), Type.Unknown()) }), {
    maxItems: MOST.nodes
  }),
  edges: Type.Array(Type.Object({}), { maxItems: MOST.edges }),
  notes: Type.Optional(Type.Array(Type.Object({}), { maxItems: MOST.notes }))
})

/** See validate-flow.ts. */
const compileShape = () => Compile(DraftDocument)
let shape: ReturnType<typeof compileShape> | undefined
const sizesOf = sizeCheck(DraftDocument)

export type DraftDocument = Readonly<Record<string, unknown>> & Static<typeof DraftDocument>

export type DraftReading =
  | { readonly document: DraftDocument; readonly faults?: undefined }
  | { readonly faults: readonly Fault[]; readonly document?: undefined }

/** What only a draft as it was read has. */
const READ_ONLY = ['revision', 'base_version', 'live_version', 'behind', 'errors', 'author']

export function readDraftDocument(sent: Readonly<Record<string, unknown>>): DraftReading {
  const given = Object.fromEntries(Object.entries(sent).filter(([name]) => !READ_ONLY.includes(name)))
  const tooLarge = sizesOf(given)
  if (tooLarge.length > 0) return { faults: sizeFaults(tooLarge) }
  const document = completeDocument(given)
  shape ??= compileShape()
  if (shape.Check(document)) return { document: document as DraftDocument }
  const [, errors] = Errors(DraftDocument, document)
  return { faults: shapeFaults(errors, document) }
}
