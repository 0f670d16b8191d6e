import type { FlowDocument } from '../../../../../src/flows/document/flow-document.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'

/** A worked flow to begin with, and a payload as its sender really writes it. */
export interface FlowTemplate {
  readonly id: string
  readonly title: string
  /** Who sends, and what comes of it. */
  readonly summary: string
  /** The service finds a free slug, and the person chooses the context. */
  readonly document: Omit<FlowDocument, 'slug' | 'context'>
  readonly sample: JsonValue
}
