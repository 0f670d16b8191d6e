import type { Fault } from '../../../../src/errors.ts'
import type { DraftStanding } from './draft-standing.ts'
import type { Flow } from './flow.ts'

/** A flow as the service has it: a document, and a number that says which. */
export interface SavedFlow {
  /** Grows with each state of the service that the page came to know: see `ServerDraft`. */
  readonly edition: number
  readonly document: Flow
  /** Of what is edited: the draft, or what is live. */
  readonly standing: DraftStanding
}

/** What `GET /api/v1/flows/{id}` answers. */
export type ReadFlow = Flow & {
  readonly id: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  /** Former slugs that it still answers to. */
  readonly aliases?: readonly string[]
  readonly paused?: { readonly mode: 'hold' | 'refuse'; readonly since: string; readonly by: string } | null
  readonly warnings?: readonly Fault[]
}

/** What a list of flows adds to each. */
interface Listed {
  readonly recent_runs?: unknown
  readonly draft?: unknown
  readonly failing_triggers?: unknown
}

/** The live version of a flow. */
interface LiveFlow {
  readonly id: string
  readonly version: number
  readonly document: Flow
}

/** Parts what the service adds from the document, whose members keep their order. */
export function openFlow(read: ReadFlow): LiveFlow {
  // Lists of flows add members of their own to the ones that are named here, and answers to saves their warnings.
  const { id, version, created_at, updated_at, paused, aliases, warnings, ...rest } = read
  const { recent_runs, draft, failing_triggers, ...document } = rest as typeof rest & Listed
  return { id, version, document }
}

/** The document as a file: what is read from it and written again is the same to the byte. */
export function writeFlow(flow: Flow): string {
  return `${JSON.stringify(flow, null, 2)}\n`
}
