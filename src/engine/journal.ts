import type { JsonValue } from '../flows/json/exact-json.ts'
import type { WaitKind, Woken } from '../flows/step/step-wait.ts'
import type { StepFailure, StepMessage, StepRecord } from './step-record.ts'

/**
 * What a checkpoint says. Folding the entries of a run in order gives all that must not be done again: steps
 * that are settled, attempts that were begun, waits that are under way. One that the store refused is tried again, and may
 * come after those that followed it: what it says of a step that went on since is of the past.
 */
export interface JournalEntry {
  readonly at: number
  /** When the run began. Absent where somebody outside wrote the entry, who cannot know. */
  readonly startedAt?: number
  readonly settled?: readonly StepRecord[]
  readonly begun?: readonly BegunStep[]
  readonly waiting?: readonly WaitingStep[]
  readonly woken?: readonly WokenStep[]
  /** Steps that were under way when a stop in order began: where they have no end, the process did not die in them. */
  readonly left?: readonly string[]
  /** The run leaves memory, and something other than a pause between attempts is waited for. */
  readonly isParked?: true
  /** The run had ended and was opened again to go on from the step that failed. */
  readonly reopened?: true
  /** Steps that run with other inputs than those with which they had succeeded. */
  readonly anew?: readonly StepAnew[]
  /** One of these that had answered who called the flow: that stays what was answered. */
  readonly answered?: StepRecord
}

interface StepAnew {
  readonly node: string
  /** So many attempts were made with others: what those left for later ones is not for these. */
  readonly after: number
}

interface BegunStep {
  readonly node: string
  readonly type: string
  readonly attempt: number
  /** When the step began: of one that reads the time, so that all of its attempts read the same. */
  readonly beganAt?: number
}

export interface WaitingStep {
  readonly node: string
  readonly type: string
  readonly attempts: number
  /** When the attempt ended: other branches may go on before this is written. Absent in what opens a run again: nothing ended then. */
  readonly endedAt?: number
  /** As in `BegunStep`. */
  readonly beganAt?: number
  /** Null where time does not end it. */
  readonly until: number | null
  /** Of the attempt after which it waits for the next one. */
  readonly error: StepFailure | null
  /** What it waits for; absent where that is its next attempt, after a pause. */
  readonly wait?: OpenedWait
  /** Of children that failed only these go on, by their index. */
  readonly items?: readonly number[]
  /** What it said before it came to wait: it is kept with its result, like all that it says after. */
  readonly messages?: readonly StepMessage[]
}

export interface OpenedWait {
  readonly id: string
  /** `retry`: its next attempt, which its schedule may put off by hours. Somebody may let it begin at once. */
  readonly kind: WaitKind | 'retry'
  /** When the step began that now waits, or went on to wait anew. */
  readonly since: number
  /** When the step began, where it waits anew. */
  readonly first?: number
  /** It waits anew: what woke it before does not wake it now. */
  readonly isFurther?: true
}

/** What ended a wait, as it was written down. It may come before the wait: a call does not know how far the run is. */
export interface WokenStep extends Woken {
  readonly node: string
  readonly value: JsonValue
}

/** All that the journal of a run tells. */
export interface JournalState {
  readonly startedAt: number | null
  readonly settled: ReadonlyMap<string, StepRecord>
  readonly waiting: ReadonlyMap<string, WaitingStep>
  /** What woke a step, until it is settled or waits anew. */
  readonly woken: ReadonlyMap<string, WokenStep>
  /** Attempts that began and have no end: the process died in them, or left them when it was stopped. */
  readonly begun: ReadonlyMap<string, BegunStep>
  /** How often each step was cut off in the middle since its last result. */
  readonly interruptions: ReadonlyMap<string, number>
  /** It had ended, and somebody opened it again. */
  readonly isReopened?: true
  /** After how many attempts steps were given other inputs than before. */
  readonly anew?: ReadonlyMap<string, number>
  /** What had answered who called the flow, and runs again. */
  readonly answered?: StepRecord
  /** How often each step held the thread until the process was ended. No journal tells: a thread beside noted it. */
  readonly hangs?: ReadonlyMap<string, number>
  /** A step in the middle of which the process died, right after another death. No journal tells either. */
  readonly killer?: string
  /** The same, once: it is tried alone, and may only have been near. */
  readonly suspect?: string
  /** Steps in which other runs of this version took the process with them, and how. */
  readonly deadly?: ReadonlyMap<string, 'hung' | 'crashed'>
}

export const EMPTY_JOURNAL: JournalState = {
  startedAt: null,
  settled: new Map(),
  waiting: new Map(),
  woken: new Map(),
  begun: new Map(),
  interruptions: new Map()
}

export function recall(entries: readonly JournalEntry[]): JournalState {
  if (entries.length === 0) return EMPTY_JOURNAL
  const folded: Folded = {
    settled: new Map(),
    waiting: new Map(),
    woken: new Map(),
    begun: new Map(),
    interruptions: new Map()
  }
  const left = new Set<string>()
  for (const entry of entries) fold(folded, left, entry)
  for (const node of folded.begun.keys()) cutOff(folded, left, node)
  const startedAt = entries.find((entry) => entry.startedAt !== undefined)?.startedAt ?? null
  const { reopened, anew, answered } = entries[0]!
  return {
    startedAt,
    ...folded,
    ...(reopened === true && { isReopened: true }),
    ...(answered !== undefined && { answered }),
    ...(anew !== undefined && { anew: new Map(anew.map(({ node, after }) => [node, after])) })
  }
}

type Folded = {
  readonly [K in
    | 'settled'
    | 'waiting'
    | 'woken'
    | 'begun'
    | 'interruptions']: JournalState[K] extends ReadonlyMap<string, infer V> ? Map<string, V> : never
}

/** The next attempt of a step that could not go on with its children starts those that failed again, and waits for them. */
export function beginsAnew({ wait }: WaitingStep, woken: Woken | undefined): boolean {
  return wait === undefined && woken?.by === 'children'
}

function fold(folded: Folded, left: Set<string>, entry: JournalEntry): void {
  const { settled, waiting, woken, begun, interruptions } = folded
  for (const record of entry.settled ?? []) {
    settled.set(record.node, record)
    for (const open of [waiting, woken, begun, interruptions]) open.delete(record.node)
  }
  for (const wait of entry.waiting ?? []) if (!isPast(folded, wait)) foldWaiting(folded, wait)
  for (const step of entry.woken ?? []) if (!settled.has(step.node)) woken.set(step.node, step)
  for (const step of entry.begun ?? []) foldBegun(folded, left, step)
  for (const node of entry.left ?? []) left.add(node)
}

/** One that is settled would be waited for, and its run taken up for it, again and again. */
function isPast({ settled, begun, waiting }: Folded, { node, attempts }: WaitingStep): boolean {
  const known = Math.max(begun.get(node)?.attempt ?? 0, waiting.get(node)?.attempts ?? 0)
  return settled.has(node) || known > attempts
}

function foldWaiting({ waiting, woken, begun, interruptions }: Folded, wait: WaitingStep): void {
  waiting.set(wait.node, wait)
  for (const ended of [begun, interruptions]) ended.delete(wait.node)
  if (wait.wait?.isFurther === true || beginsAnew(wait, woken.get(wait.node))) woken.delete(wait.node)
}

function foldBegun(folded: Folded, left: Set<string>, step: BegunStep): void {
  const { settled, waiting, woken, begun } = folded
  const { node } = step
  if (settled.has(node)) return
  if (begun.has(node)) cutOff(folded, left, node)
  left.delete(node)
  begun.set(node, step)
  // What let an attempt begin at once is no answer to it.
  if (waiting.get(node)?.wait?.kind === 'retry') woken.delete(node)
  waiting.delete(node)
}

function cutOff({ interruptions }: Folded, left: ReadonlySet<string>, node: string): void {
  if (!left.has(node)) interruptions.set(node, (interruptions.get(node) ?? 0) + 1)
}
