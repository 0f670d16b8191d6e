import type { Fault } from '../../../../src/errors.ts'
import { equalJson } from '../graph/equal-json.ts'
import type { Flow } from '../graph/flow.ts'
import type { SavedFlow } from '../graph/saved-flow.ts'
import type { Choices, Conflict } from '../merge/conflict.ts'

/** Why a save was refused: sending the same once more cannot help. */
export interface SaveProblem {
  readonly code: string
  readonly message: string
  readonly faults: readonly Fault[]
}

/** Where the work of an editor stands between the canvas and the service. */
export interface SaveState {
  /** What the service has, as far as it is known to be part of `mine`. */
  readonly base: SavedFlow
  readonly mine: Flow
  /** The document that is on its way, made from `base`. */
  readonly sending: Flow | undefined
  readonly isReading: boolean
  /** Documents that were sent from `base` and never answered: one of them may have been saved. */
  readonly unsure: readonly Flow[]
  /** The newest edition that is known to exist. */
  readonly newestEdition: number
  /** When the first edit that is not on its way was made, and the last one. */
  readonly firstEdit: number | undefined
  readonly lastEdit: number
  /** Since the service answered last. */
  readonly failures: number
  readonly retryAt: number | undefined
  /** Why nothing gets through. */
  readonly trouble: string | undefined
  readonly refused: { readonly document: Flow; readonly problem: SaveProblem } | undefined
  /** Set while what somebody else saved cannot be merged without asking. */
  readonly theirs: SavedFlow | undefined
  readonly conflicts: readonly Conflict[]
  readonly choices: Choices
}

export type SaveStatus = 'clean' | 'dirty' | 'saving' | 'conflict' | 'offline' | 'invalid'

/** What the page shows. While nothing gets through, a further attempt is still `offline`: a badge must not flicker. */
export function statusOf(state: SaveState): SaveStatus {
  if (state.theirs !== undefined) return 'conflict'
  if (!hasWork(state)) return 'clean'
  if (state.failures > 0) return 'offline'
  if (state.sending !== undefined) return 'saving'
  return isRefused(state) ? 'invalid' : 'dirty'
}

export function isDirty({ mine, base }: SaveState): boolean {
  return !equalJson(mine, base.document)
}

/** Something of mine is not saved, or it is not known what was: what I have undone since may be what is saved. */
export function hasWork(state: SaveState): boolean {
  return isDirty(state) || state.unsure.length > 0
}

/** Whether the document as it stands was refused. */
export function isRefused({ refused, mine }: SaveState): boolean {
  return refused !== undefined && refused.document === mine
}

/** What the service found wrong, and with which document. It stays until what was done about it has been judged. */
export function judgementOf({ refused, base }: SaveState): Judgement {
  if (refused !== undefined) return { document: refused.document, faults: refused.problem.faults }
  return { document: base.document, faults: base.standing.faults }
}

interface Judgement {
  readonly document: Flow
  readonly faults: readonly Fault[]
}

/** Whether leaving the page would lose something that the service does not have. */
export function hasUnsaved(state: SaveState): boolean {
  return hasWork(state) || state.theirs !== undefined
}

/** What to keep in the browser so that a closed tab loses nothing. It is plain JSON. */
export interface Unsaved {
  readonly base: SavedFlow
  readonly mine: Flow
  /** Sent, and perhaps saved. */
  readonly sent: readonly Flow[]
}

export function unsavedOf(state: SaveState): Unsaved | undefined {
  if (!hasUnsaved(state)) return undefined
  const { base, mine, unsure, sending } = state
  return { base, mine, sent: sending === undefined ? unsure : [...unsure, sending] }
}

export function freshState(base: SavedFlow): SaveState {
  return {
    base,
    mine: base.document,
    sending: undefined,
    isReading: false,
    unsure: [],
    newestEdition: base.edition,
    firstEdit: undefined,
    lastEdit: 0,
    failures: 0,
    retryAt: undefined,
    trouble: undefined,
    refused: undefined,
    theirs: undefined,
    conflicts: [],
    choices: new Map()
  }
}
