import type { DraftDocument } from '../flows/validate/draft-document.ts'
import type { StoredDraft } from '../store/drafts.ts'
import type { LiveFlow } from './live-flow.ts'

/** What is edited of a flow, as it was saved last. */
export interface Draft extends Omit<StoredDraft, 'document'> {
  readonly flow: LiveFlow
  readonly document: DraftDocument
}

/** What may be a draft, whether or not it is one. */
export type Judged = Pick<Draft, 'flow' | 'document'>
