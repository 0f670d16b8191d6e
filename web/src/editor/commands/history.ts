import { equalJson } from '../graph/equal-json.ts'
import type { Flow } from '../graph/flow.ts'
import { type NewIds, renameInFlow } from '../graph/rename-ids.ts'
import { mergeFlows } from '../merge/merge-flows.ts'
import { applyCommand } from './apply-command.ts'
import { type Command, describeCommand } from './command.ts'

/**
 * Undo and redo over everything. A step keeps the whole flow before it: what did not change is shared, so a step
 * costs little, and going back cannot go wrong. What another editor did meanwhile is not mine to undo: it is merged
 * into a step when I come to it.
 */
export interface History {
  readonly flow: Flow
  readonly past: readonly Step[]
  readonly future: readonly Step[]
  /** What came from outside, in order. */
  readonly adoptions: readonly Adoption[]
  /** The gesture that a further command may continue. */
  readonly open: { readonly gesture: string; readonly at: number } | undefined
}

interface Step {
  readonly label: string
  /** The flow that this step leads to when it is undone or, in the future, done again. */
  readonly flow: Flow
  /** How many adoptions that flow knows of. */
  readonly adopted: number
}

interface Adoption {
  readonly before: Flow
  readonly after: Flow
  /** New ids of mine by their old ones. */
  readonly renamed: NewIds
}

interface Moment {
  /** Milliseconds, from any clock that does not run backwards. */
  readonly at: number
  /** One drag, for example: commands of one gesture are one step, however long it takes. */
  readonly gesture?: string
}

/** Typing in one place goes on as one step until it pauses this long. */
export const TYPING_PAUSE_MS = 1000

export const MAX_STEPS = 500
const MAX_ADOPTIONS = 20

export function startHistory(flow: Flow): History {
  return { flow, past: [], future: [], adoptions: [], open: undefined }
}

export function execute(history: History, command: Command, moment: Moment): History {
  const flow = applyCommand(history.flow, command)
  if (flow === history.flow) return history
  const gesture = moment.gesture ?? typingGesture(command)
  const open = gesture === undefined ? undefined : { gesture, at: moment.at }
  if (continues(history, moment, gesture)) return continueStep(history, flow, open)
  const step = { label: describeCommand(command), flow: history.flow, adopted: history.adoptions.length }
  return { ...history, flow, past: [...history.past, step].slice(-MAX_STEPS), future: [], open }
}

export function undo(history: History): History {
  return travel(history, 'past', 'future')
}

export function redo(history: History): History {
  return travel(history, 'future', 'past')
}

/** Takes over what came from outside, such as a merge with another editor's save. It is not a step of undo. */
export function adopt(history: History, flow: Flow, renamed: NewIds = new Map()): History {
  if (flow === history.flow) return history
  const adoption = { before: history.flow, after: flow, renamed }
  const next = { ...history, flow, adoptions: [...history.adoptions, adoption] }
  return next.adoptions.length > MAX_ADOPTIONS || !hasSteps(next) ? settleSteps(next) : next
}

function hasSteps({ past, future }: History): boolean {
  return past.length + future.length > 0
}

/** Brings every step up to date at once, so that what came from outside need not be kept for ever. */
function settleSteps(history: History): History {
  const settled = (steps: readonly Step[]) =>
    steps.map((step) => ({ ...step, flow: upToDate(step, history.adoptions), adopted: 0 }))
  return { ...history, past: settled(history.past), future: settled(history.future), adoptions: [] }
}

function travel(history: History, from: 'past' | 'future', to: 'past' | 'future'): History {
  const step = history[from].at(-1)
  if (step === undefined) return history
  const back = { label: step.label, flow: history.flow, adopted: history.adoptions.length }
  return {
    ...history,
    [from]: history[from].slice(0, -1),
    [to]: [...history[to], back],
    flow: upToDate(step, history.adoptions),
    open: undefined
  }
}

function upToDate(step: Step, adoptions: readonly Adoption[]): Flow {
  return adoptions.slice(step.adopted).reduce((flow, { before, after, renamed }) => {
    const three = { base: renameInFlow(before, renamed), mine: renameInFlow(flow, renamed), theirs: after }
    // To undo what I did must not undo what they did.
    return mergeFlows(three, { otherwise: 'theirs' }).flow
  }, step.flow)
}

function continues(history: History, moment: Moment, gesture: string | undefined): boolean {
  const { open } = history
  if (open === undefined || open.gesture !== gesture) return false
  return moment.gesture !== undefined || moment.at - open.at <= TYPING_PAUSE_MS
}

function continueStep(history: History, flow: Flow, open: History['open']): History {
  const step = history.past.at(-1)!
  // Dragged back to where it was, or typed and deleted again: there is nothing to undo.
  const past =
    equalJson(step.flow, flow) && step.adopted === history.adoptions.length
      ? history.past.slice(0, -1)
      : history.past
  return past === history.past
    ? { ...history, flow, open }
    : { ...history, flow: step.flow, past, open: undefined }
}

/** Commands that come one per key stroke, with the place that they are about. */
function typingGesture(command: Command): string | undefined {
  switch (command.kind) {
    case 'set-field':
      return `type field ${command.node}.${command.field}`
    case 'change-note':
      return `type note ${command.note} ${Object.keys(command.changes)}`
    case 'change-node':
      return `type node ${command.node} ${Object.keys(command.changes)}`
    case 'change-flow':
      return `type flow ${Object.keys(command.changes)}`
    default:
      return undefined
  }
}
