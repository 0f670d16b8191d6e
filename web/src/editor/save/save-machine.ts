import { equalJson } from '../graph/equal-json.ts'
import type { Flow } from '../graph/flow.ts'
import type { NewIds } from '../graph/rename-ids.ts'
import type { SavedFlow } from '../graph/saved-flow.ts'
import type { Choice } from '../merge/conflict.ts'
import { mergeFlows } from '../merge/merge-flows.ts'
import {
  freshState,
  hasWork,
  isDirty,
  isRefused,
  type SaveProblem,
  type SaveState,
  type Unsaved
} from './save-state.ts'

/**
 * When to save, what to do with the answer, and how to go on after each failure.
 *
 *   S1  One request at a time. Edits made meanwhile go with the next one.
 *   S2  A save waits for a pause in the edits, but never long: others see what is saved.
 *   S3  A save that was not answered may have been made. Its document is remembered; if the service turns out to have
 *       it, it is mine and no conflict.
 *   S4  Whatever fails, `mine` stays. What may pass is tried again, later each time, or at once when the page is
 *       online again. What was refused is tried again when it has been edited.
 *   S5  What somebody else saved is merged as soon as it is known, whether or not there is something of mine. Where
 *       both touched one thing, nothing is sent until each such thing is chosen; editing goes on meanwhile.
 */
export type SaveEvent = { readonly at: number } & (
  | { readonly kind: 'edited'; readonly flow: Flow }
  | { readonly kind: 'woke' }
  | { readonly kind: 'saved'; readonly saved: SavedFlow }
  /** The service has a newer one than the one that was edited. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly problem: SaveProblem }
  | { readonly kind: 'failed'; readonly message: string; readonly retryAfterMs?: number }
  | { readonly kind: 'read'; readonly live: SavedFlow }
  /** An event of the service: this edition exists. */
  | { readonly kind: 'announced'; readonly edition: number }
  | { readonly kind: 'online' }
  | { readonly kind: 'chose'; readonly conflict: string; readonly choice: Choice }
  /** Save now: a key was pressed for it, or the page is being left. */
  | { readonly kind: 'flush' }
)

export type SaveEffect =
  | { readonly kind: 'save'; readonly edition: number; readonly document: Flow }
  /** Read what the service has now. The first that is read after `base` is the edition after it. */
  | { readonly kind: 'read' }
  /** The flow on the canvas has to become this one; it is not an edit by the person at the screen. */
  | { readonly kind: 'adopt'; readonly flow: Flow; readonly renamed: NewIds }

export interface SaveStep {
  readonly state: SaveState
  readonly effects: readonly SaveEffect[]
}

export const QUIET_MS = 1000
export const LONGEST_WAIT_MS = 10_000
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000

/** Begins with what the service has and, after a tab was closed too early, with what was left in the browser. */
export function startSaving(live: SavedFlow, left: Unsaved | undefined, at: number): SaveStep {
  if (left === undefined) return { state: freshState(live), effects: [] }
  const { base, mine, sent } = left
  const state = { ...freshState(base), mine, unsure: sent, firstEdit: at, lastEdit: at }
  return stepSaving(state, { kind: 'read', live, at })
}

export function stepSaving(state: SaveState, event: SaveEvent): SaveStep {
  return proceed(react(state, event), event.at)
}

/** When to come back with `woke`; undefined when there is nothing to wait for. */
export function wakeAt(state: SaveState): number | undefined {
  if (state.sending !== undefined || state.isReading) return undefined
  if (needsToRead(state)) return state.retryAt
  return mayBeSent(state) ? dueAt(state) : undefined
}

function react(state: SaveState, event: SaveEvent): SaveStep {
  const { at } = event
  switch (event.kind) {
    case 'edited':
      return only(
        updateConflicts({ ...state, mine: event.flow, firstEdit: state.firstEdit ?? at, lastEdit: at })
      )
    case 'woke':
      return only(state)
    case 'saved':
      return afterSave(state, event.saved)
    case 'stale':
      return only({
        ...answered(state),
        newestEdition: Math.max(state.newestEdition, state.base.edition + 1),
        firstEdit: at
      })
    case 'refused':
      return only(afterRefusal(state, event.problem))
    case 'failed':
      return only(afterFailure(state, event))
    case 'read':
      return afterReading(state, event)
    case 'announced':
      return only({ ...state, newestEdition: Math.max(state.newestEdition, event.edition) })
    case 'online':
      return only({ ...state, retryAt: state.retryAt === undefined ? undefined : at })
    case 'chose':
      return only(
        updateConflicts({ ...state, choices: new Map([...state.choices, [event.conflict, event.choice]]) })
      )
    case 'flush':
      return only(
        atOnce({ ...state, refused: undefined, retryAt: state.retryAt === undefined ? undefined : at })
      )
  }
}

/** What there is to do now, if anything. */
function proceed({ state, effects }: SaveStep, at: number): SaveStep {
  if (state.sending !== undefined || state.isReading) return { state, effects }
  const isAllowed = state.retryAt === undefined || at >= state.retryAt
  if (needsToRead(state)) {
    if (!isAllowed) return { state, effects }
    return { state: { ...state, isReading: true }, effects: [...effects, { kind: 'read' }] }
  }
  if (state.theirs !== undefined) {
    const isDecided = state.conflicts.every(({ choice }) => choice !== undefined)
    return isDecided ? proceed(resolve(state, state.theirs, effects), at) : { state, effects }
  }
  if (!mayBeSent(state) || at < dueAt(state)) return { state, effects }
  const { mine: document, base } = state
  const sending = { ...state, sending: document, firstEdit: undefined }
  return { state: sending, effects: [...effects, { kind: 'save', edition: base.edition, document }] }
}

function needsToRead({ newestEdition, base, theirs }: SaveState): boolean {
  return newestEdition > (theirs ?? base).edition
}

function mayBeSent(state: SaveState): boolean {
  return state.theirs === undefined && hasWork(state) && !isRefused(state)
}

function dueAt({
  firstEdit = Number.NEGATIVE_INFINITY,
  lastEdit,
  retryAt = Number.NEGATIVE_INFINITY
}: SaveState): number {
  return Math.max(retryAt, Math.min(lastEdit + QUIET_MS, firstEdit + LONGEST_WAIT_MS))
}

/** Without waiting for a pause. */
function atOnce(state: SaveState): SaveState {
  return { ...state, firstEdit: Number.NEGATIVE_INFINITY }
}

function only(state: SaveState): SaveStep {
  return { state, effects: [] }
}

function answered(state: SaveState): SaveState {
  return {
    ...state,
    sending: undefined,
    isReading: false,
    failures: 0,
    retryAt: undefined,
    trouble: undefined
  }
}

function afterSave(state: SaveState, saved: SavedFlow): SaveStep {
  const newestEdition = Math.max(state.newestEdition, saved.edition)
  const next = { ...answered(state), base: saved, newestEdition, unsure: [], refused: undefined }
  // The service may have completed what was sent. Left as it was, it would be sent again and again.
  const isCompleted = state.mine === state.sending && isDirty(next)
  if (!isCompleted) return only(next)
  return {
    state: { ...next, mine: saved.document },
    effects: [{ kind: 'adopt', flow: saved.document, renamed: new Map() }]
  }
}

function afterRefusal(state: SaveState, problem: SaveProblem): SaveState {
  const document = state.sending ?? state.mine
  // Where reading was refused, for example because the flow was deleted, asking again cannot help either.
  const newestEdition = state.isReading ? (state.theirs ?? state.base).edition : state.newestEdition
  return {
    ...answered(state),
    newestEdition,
    refused: { document, problem },
    firstEdit: state.firstEdit ?? 0
  }
}

function afterFailure(state: SaveState, event: SaveEvent & { readonly kind: 'failed' }): SaveState {
  const failures = state.failures + 1
  const wait = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS)
  return {
    ...state,
    sending: undefined,
    isReading: false,
    unsure: state.sending === undefined ? state.unsure : [...new Set([...state.unsure, state.sending])],
    failures,
    retryAt: event.at + Math.max(wait, event.retryAfterMs ?? 0),
    trouble: event.message,
    firstEdit: Number.NEGATIVE_INFINITY
  }
}

function afterReading(state: SaveState, { live, at }: SaveEvent & { readonly kind: 'read' }): SaveStep {
  const known = answered({ ...state, base: landed(state, live), unsure: [] })
  const newest = (known.theirs ?? known.base).edition
  if (live.edition > newest)
    return only(updateConflicts({ ...known, newestEdition: live.edition, theirs: live }))
  const isContradiction = known.newestEdition > newest && live.edition < known.newestEdition
  const settled = { ...known, newestEdition: newest }
  // It said that there is a newer edition and cannot show one: no reason to ask as fast as the wires carry it.
  return only(
    isContradiction
      ? afterFailure(settled, { kind: 'failed', message: 'The answers of the service disagree.', at })
      : settled
  )
}

/** What was sent without an answer and is there now is what the service has of mine (S3). */
function landed({ base, unsure }: SaveState, live: SavedFlow): SavedFlow {
  const isMine = live.edition === base.edition + 1 && unsure.some((sent) => equalJson(sent, live.document))
  return isMine ? live : base
}

/** The conflicts as they are now: an edit or a choice may have changed them. */
function updateConflicts(state: SaveState): SaveState {
  if (state.theirs === undefined) return state
  const { conflicts } = mergeFlows(threeOf(state, state.theirs), { choices: state.choices })
  return { ...state, conflicts }
}

/** Everything is decided: what both made becomes mine, and what they saved is what it is made from. */
function resolve(state: SaveState, theirs: SavedFlow, effects: readonly SaveEffect[]): SaveStep {
  const { flow, renamed } = mergeFlows(threeOf(state, theirs), { choices: state.choices })
  const next = {
    ...state,
    base: theirs,
    mine: flow,
    theirs: undefined,
    conflicts: [],
    choices: new Map(),
    refused: undefined
  }
  const adopt: SaveEffect = { kind: 'adopt', flow, renamed }
  return { state: atOnce(next), effects: equalJson(flow, state.mine) ? effects : [...effects, adopt] }
}

function threeOf({ base, mine }: SaveState, theirs: SavedFlow) {
  return { base: base.document, mine, theirs: theirs.document }
}
