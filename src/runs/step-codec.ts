import type { StepMessage, StepRecord } from '../engine/step-record.ts'
import { parseJson, writeJson } from '../flows/exact-json.ts'
import type { RunStart } from './run-start.ts'

/**
 * Steps as they are stored. What came with the request is stored once, with the run: an output that is the
 * payload itself or the request's facts (what a Webhook gives) is kept as a name, and read back from the run.
 */
interface StoredStep extends StepRecord {
  /** Outputs that are a given of the run, by name of the output. */
  readonly given?: Readonly<Record<string, keyof RunStart>>
}

/** A step as a list: the names of its members, written for every step of every run, would be half of the text. */
type ListedStep = [
  node: string,
  type: string,
  status: StepRecord['status'],
  attempts: number,
  startedAt: number | null,
  durationMs: number | null,
  outputs: StepRecord['outputs'],
  error?: StepRecord['error'],
  given?: StoredStep['given'] | null,
  messages?: readonly (ListedMessage | StepMessage)[] | null
]

type ListedMessage = [id: string, text: string, sender: string, session: string, createdAt: number]

export function encodeSteps(steps: readonly StepRecord[], start: RunStart): string {
  return writeJson(steps.map((step) => listed(withoutRunStart(step, start))))
}

/**
 * Without the start at hand, outputs that are one of them are left out. Stores of earlier versions are never written
 * anew: their steps and messages are objects.
 */
export function decodeSteps(text: string, start: RunStart | undefined): StepRecord[] {
  const steps = parseJson(text) as unknown as (ListedStep | StoredStep)[]
  return steps.map((step) => withRunStart(Array.isArray(step) ? unlisted(step) : step, start))
}

/** What a step does not have is left out at the end of its list. */
function listed(step: StoredStep): ListedStep {
  const { node, type, status, attempts, startedAt, durationMs, outputs, error, given, messages } = step
  const list: ListedStep = [node, type, status, attempts, startedAt, durationMs, outputs]
  if (messages !== undefined) list.push(error, given ?? null, messages.map(listedMessage))
  else if (given !== undefined) list.push(error, given)
  else if (error !== null) list.push(error)
  return list
}

function unlisted(list: ListedStep): StoredStep {
  const [node, type, status, attempts, startedAt, durationMs, outputs, error = null, given, messages] = list
  return {
    node,
    type,
    status,
    attempts,
    startedAt,
    durationMs,
    outputs,
    error,
    ...(given == null ? {} : { given }),
    ...(messages == null ? {} : { messages: messages.map(unlistedMessage) })
  }
}

function listedMessage({ id, text, sender, session, createdAt }: StepMessage): ListedMessage {
  return [id, text, sender, session, createdAt]
}

function unlistedMessage(message: ListedMessage | StepMessage): StepMessage {
  if (!Array.isArray(message)) return message
  const [id, text, sender, session, createdAt] = message
  return { id, text, sender, session, createdAt }
}

export function withoutRunStart(step: StepRecord, start: RunStart): StoredStep {
  if (step.outputs === null) return step
  let given: Record<string, keyof RunStart> | undefined
  const rest: Record<string, unknown> = {}
  for (const name of Object.keys(step.outputs)) {
    const value = step.outputs[name]
    const which = whichGiven(value, start)
    if (which === undefined) {
      rest[name] = value
    } else {
      given ??= {}
      given[name] = which
    }
  }
  return given === undefined ? step : { ...step, outputs: rest, given }
}

/** Only the very same object is the same given; text and numbers are as short as a name for them. */
function whichGiven(value: unknown, start: RunStart): keyof RunStart | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value === start.input) return 'input'
  return value === start.request ? 'request' : undefined
}

export function withRunStart(step: StoredStep, start: RunStart | undefined): StepRecord {
  if (step.given === undefined) return step
  const { given, ...record } = step
  if (start === undefined) return record
  const named = Object.fromEntries(Object.entries(given).map(([name, which]) => [name, start[which]]))
  return { ...record, outputs: { ...named, ...record.outputs } }
}
