import type { RecordedAnswer, StepMessage, StepRecord } from '../../engine/step-record.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { parseJson, writeJson } from '../../flows/json/exact-json.ts'
import { itemsOfList } from '../../flows/json/json-tokens.ts'
import { isLongValue, type LongRef, LongValue } from '../../flows/json/long-value.ts'
import type { StepLog } from '../../flows/step/step-log.ts'
import type { NewMessage } from '../../store/message-store.ts'
import type { RunStart, StoredValues } from './run-start.ts'
import type { ShownStart } from './shown-start.ts'

/**
 * Steps as they are stored. What came with the request is stored once, with the run: an output that is the
 * payload itself or the request's facts (what a Webhook gives) is kept as a name, and read back from the run. Long
 * values are stored by themselves, each once: of them only the place is kept.
 */
export interface StoredStep extends Omit<StepRecord, 'messages' | 'answer'> {
  readonly messages?: readonly StoredStepMessage[]
  readonly answer?: StoredAnswer
  /** Outputs that came with the request or are long, by name of the output. */
  readonly given?: Readonly<Record<string, keyof RunStart | LongRef>>
}

interface StoredAnswer extends Omit<RecordedAnswer, 'body'> {
  readonly body: string | LongRef
}

interface StoredStepMessage extends Omit<StepMessage, 'text'> {
  readonly text: string | LongRef
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
  messages?: readonly ListedMessage[] | null,
  pinned?: true | null,
  logs?: readonly ListedLog[] | null,
  reportsUsage?: true | null,
  answer?: StoredAnswer
]

type ListedLog = [level: StepLog['level'], text: string]

type ListedMessage = [id: string, text: string | LongRef, sender: string, session: string, createdAt: number]

export function encodeSteps(steps: readonly StepRecord[], stored: StoredValues): string {
  const lists = new Array<ListedStep>(steps.length)
  for (let at = 0; at < steps.length; at++) lists[at] = listed(withoutStored(steps[at]!, stored))
  return writeJson(lists)
}

/** What the steps said, as the store takes it. */
export function messagesOf(
  steps: readonly Pick<StepRecord, 'messages'>[],
  stored: StoredValues
): NewMessage[] {
  const messages: NewMessage[] = []
  for (const step of steps) {
    for (const message of step.messages ?? []) {
      const { text } = message
      const ref = refOf(text, stored)
      if (ref !== undefined) messages.push({ ...message, text: '', long: JSON.stringify(ref) })
      else messages.push(message as NewMessage)
    }
  }
  return messages
}

/** A message's text as it is stored: by itself, or with the message. */
export function messageText({ text, long }: Pick<NewMessage, 'text' | 'long'>): string | LongValue {
  return long === undefined ? text : new LongValue(JSON.parse(long))
}

function refOf(value: unknown, stored: StoredValues): LongRef | undefined {
  return isLongValue(value) ? value.ref : stored.refOf?.(value)
}

/** Without the start at hand, outputs that are one of them are left out. */
export function decodeSteps(text: string, start: ShownStart | undefined): StepRecord[] {
  const steps = parseJson(text) as unknown as ListedStep[]
  return steps.map((step) => withStored(unlisted(step), start))
}

/** In characters. So much is read at once. */
const AT_ONCE = 64 * 1024

/** The same, step by step: each may have put out as much as is not stored by itself. */
export function* stepsInTurns(text: string, start: ShownStart | undefined): Turns<StepRecord[]> {
  if (text.length <= AT_ONCE) return decodeSteps(text, start)
  const steps: StepRecord[] = []
  for (const item of itemsOfList(text)) {
    steps.push(withStored(unlisted(parseJson(item) as unknown as ListedStep), start))
    yield
  }
  return steps
}

/** What a step does not have is left out at the end of its list. */
function listed(step: StoredStep): ListedStep {
  const { node, type, status, attempts, startedAt, durationMs, outputs, error, given, messages } = step
  const { pinned, logs, reportsUsage, answer } = step
  const list: ListedStep = [node, type, status, attempts, startedAt, durationMs, outputs]
  if (logs !== undefined || reportsUsage !== undefined || answer !== undefined) {
    list.push(error, given ?? null, messages?.map(listedMessage) ?? null, null, logs?.map(listedLog) ?? null)
    if (answer !== undefined) list.push(reportsUsage ?? null, answer)
    else if (reportsUsage !== undefined) list.push(reportsUsage)
  } else if (pinned !== undefined) list.push(error, given ?? null, null, pinned)
  else if (messages !== undefined) list.push(error, given ?? null, messages.map(listedMessage))
  else if (given !== undefined) list.push(error, given)
  else if (error !== null) list.push(error)
  return list
}

function unlisted(list: ListedStep): StoredStep {
  const [node, type, status, attempts, startedAt, durationMs, outputs, error = null, ...rest] = list
  const [given, messages, pinned, logs, reportsUsage, answer] = rest
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
    ...(messages == null ? {} : { messages: messages.map(unlistedMessage) }),
    ...(pinned == null ? {} : { pinned }),
    ...(logs == null ? {} : { logs: logs.map(([level, text]) => ({ level, text })) }),
    ...(reportsUsage == null ? {} : { reportsUsage }),
    ...(answer === undefined ? {} : { answer })
  }
}

function listedLog({ level, text }: StepLog): ListedLog {
  return [level, text]
}

function listedMessage({ id, text, sender, session, createdAt }: StoredStepMessage): ListedMessage {
  return [id, text, sender, session, createdAt]
}

function unlistedMessage([id, text, sender, session, createdAt]: ListedMessage): StoredStepMessage {
  return { id, text, sender, session, createdAt }
}

export function withoutStored(step: StepRecord, stored: StoredValues): StoredStep {
  const { outputs, messages } = step
  const said = messages?.some(({ text }) => refOf(text, stored) !== undefined)
    ? messages.map((message) => storedMessage(message, stored))
    : undefined
  const given = storedOutputs(outputs, stored)
  const answer = step.answer && storedAnswer(step.answer, stored)
  if (given === undefined && said === undefined && answer === undefined) return step as StoredStep
  return {
    ...step,
    outputs: given === undefined ? outputs : otherOutputs(outputs, given),
    ...(given === undefined ? {} : { given }),
    ...(said === undefined ? {} : { messages: said }),
    ...(answer === undefined ? {} : { answer })
  } as StoredStep
}

/** Undefined where there are none, as with most steps: nothing is made for them. */
function storedOutputs(outputs: StepRecord['outputs'], stored: StoredValues): StoredStep['given'] {
  let given: Record<string, keyof RunStart | LongRef> | undefined
  for (const name in outputs) {
    const which = whichStored(outputs[name], stored)
    if (which === undefined) continue
    given ??= {}
    given[name] = which
  }
  return given
}

function otherOutputs(
  outputs: StepRecord['outputs'],
  given: NonNullable<StoredStep['given']>
): Record<string, unknown> {
  const others: Record<string, unknown> = {}
  for (const name in outputs) if (!Object.hasOwn(given, name)) others[name] = outputs[name]
  return others
}

function storedMessage(message: StepMessage, stored: StoredValues): StoredStepMessage {
  return { ...message, text: refOf(message.text, stored) ?? (message.text as string) }
}

/** Undefined where its body is stored with it. */
function storedAnswer(answer: RecordedAnswer, stored: StoredValues): StoredAnswer | undefined {
  const body = refOf(answer.body, stored)
  return body && { ...answer, body }
}

/** Only the very same object is the same as what came with the request. */
function whichStored(value: unknown, stored: StoredValues): keyof RunStart | LongRef | undefined {
  if (typeof value === 'object' && value !== null) {
    if (value === stored.input) return 'input'
    if (value === stored.request) return 'request'
  }
  return refOf(value, stored)
}

/** Without the start at hand, what came with the request is left out. */
export function withStored(step: StoredStep, start: ShownStart | undefined): StepRecord {
  const { given, messages, answer, ...record } = step
  const said = {
    ...(messages === undefined ? {} : { messages: messages.map(readMessage) }),
    ...(answer === undefined ? {} : { answer: readAnswer(answer) })
  }
  if (given === undefined) return { ...record, ...said }
  const named: Record<string, unknown> = {}
  for (const [name, which] of Object.entries(given)) {
    if (typeof which !== 'string') named[name] = new LongValue(which)
    else if (start !== undefined) named[name] = start[which]
  }
  return { ...record, outputs: { ...named, ...record.outputs }, ...said }
}

function readAnswer({ body, ...answer }: StoredAnswer): RecordedAnswer {
  return { ...answer, body: typeof body === 'string' ? body : new LongValue(body) }
}

function readMessage(message: StoredStepMessage): StepMessage {
  const { text } = message
  return typeof text === 'string' ? { ...message, text } : { ...message, text: new LongValue(text) }
}
