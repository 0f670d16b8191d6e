/** What a generated flow does, as a tree: from it the document is made, and by it the results are judged. */
export type Segment =
  | Act
  | {
      readonly kind: 'if'
      readonly id: string
      readonly yes: readonly Segment[]
      readonly no: readonly Segment[]
    }
  | {
      readonly kind: 'switch'
      readonly id: string
      readonly cases: readonly (readonly Segment[])[]
      readonly otherwise: readonly Segment[]
    }
  | Each
  | Repeat
  | Agent
  /** All ways are gone at the same time; what they come to is joined. */
  | { readonly kind: 'fork'; readonly id: string; readonly ways: readonly (readonly Segment[])[] }
  | Call
  | { readonly kind: 'delay'; readonly id: string; readonly seconds: number }
  | { readonly kind: 'wait'; readonly id: string; readonly seconds: number }
  | { readonly kind: 'approve'; readonly id: string; readonly seconds: number }
  | { readonly kind: 'keep'; readonly id: string }
  /** Adds one to what is kept under its id; the value goes on as it is. */
  | { readonly kind: 'count'; readonly id: string }
  /** Prints the value; it goes on as it is. */
  | { readonly kind: 'say'; readonly id: string }
  | { readonly kind: 'stop'; readonly id: string }
  /** Adds what an act before it gave, which it reads by name. */
  | { readonly kind: 'refer'; readonly id: string; readonly to: string }
  /** Somebody is asked before a tool acts: a part of what an agent's call runs. */
  | { readonly kind: 'consent'; readonly id: string }
  /** Somebody has disabled it: the value goes on as it is. */
  | { readonly kind: 'off'; readonly id: string; readonly type: OffType }
  /** Beside the value's way a disabled node that lets nothing through, and one that is skipped for it; both ways meet in what follows. */
  | { readonly kind: 'silent'; readonly id: string }

export const OFF_TYPES = ['sim-act', 'delay', 'keep', 'wait-for-call', 'approve'] as const
export type OffType = (typeof OFF_TYPES)[number]

/** Something outside is asked to do something. */
export interface Act {
  readonly kind: 'act'
  readonly id: string
  readonly ms: number
  /** `flaky`: the first answers are failures that may be tried again. `never`: no answer comes at all. */
  readonly mode: 'ok' | 'fail' | 'flaky' | 'never'
  readonly fails: number
  /** A failure is led on by its error output. */
  readonly isCaught?: true
  /** What fails is tried again by a schedule: a wait that somebody may end. */
  readonly isScheduled?: true
  /** It reads what was said in the session before. */
  readonly readsHistory: boolean
}

export interface Each {
  readonly kind: 'each'
  readonly id: string
  readonly count: number
  readonly atOnce: number
  readonly failures: 'stop' | 'collect'
  /** So often it is tried, with all that it started; once where it is left out. */
  readonly attempts?: number
  readonly body: readonly Segment[]
}

interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly flow: number
  readonly waits: boolean
  readonly attempts?: number
}

/** Its body again and again, each round with what the one before gave, until that is a certain value. */
export interface Repeat {
  readonly kind: 'repeat'
  readonly id: string
  readonly most: number
  readonly until: number
  readonly pauseSeconds: number
  readonly attempts?: number
  readonly body: readonly Segment[]
}

export interface Agent {
  readonly kind: 'agent'
  readonly id: string
  readonly tools: readonly AgentTool[]
  /** What its model calls side by side, turn by turn: tools by their place, or one that there is not. Then it answers. */
  readonly turns: readonly (readonly number[])[]
  readonly mostSteps: number
  /** So long it thinks, and so often it refuses each question before it answers. */
  readonly ms: number
  readonly fails: number
}

export interface AgentTool {
  readonly does: Act | Call
  readonly asksFirst: boolean
}

export interface FlowSpec {
  readonly slug: string
  /** 0 is the root. */
  readonly context: number
  /** 0 sets no limit. */
  readonly concurrency: number
  /** A tick every so many seconds; 0 is no schedule. */
  readonly everySeconds: number
  /** Flows whose failed runs start one of this flow, by their numbers. */
  readonly watches?: readonly number[]
  /** A list outside, each new item of which starts a run. */
  readonly list?: WatchedList
  readonly segments: readonly Segment[]
}

export interface WatchedList {
  readonly everySeconds: number
  readonly takesFirst: boolean
  /** When items come to be there, in milliseconds since the beginning. */
  readonly comeAt: readonly number[]
  /** An item is gone so long after it came; null: it stays. */
  readonly staysMs: number | null
  /** From when to when nobody answers. */
  readonly away: readonly (readonly [from: number, to: number])[]
}

/** Values are small numbers: branches and cases are all reached. */
export const VALUES = 8

/** Whether it fails, however often it is tried. */
export function failsForGood({ mode }: Pick<Act, 'mode'>): boolean {
  return mode === 'fail' || mode === 'never'
}

/** What a failure comes to that was led on. */
export const CAUGHT = 0

/** What somebody outside makes of a value. */
export function acted(id: string, value: number): number {
  return (value * 3 + id.length + (id.codePointAt(id.length - 1) ?? 0)) % VALUES
}

/** What a call brings that a Wait for call waits for. */
export function calledWith(id: string): number {
  return (id.codePointAt(id.length - 1) ?? 0) % VALUES
}

/** What becomes of a value by an answer; null: nobody answered. */
export function decided(value: number, choice: string | null): number {
  const by = choice === null ? 3 : choice === 'Approve' ? 1 : 2
  return (value + by) % VALUES
}

export function itemsOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (value + index) % VALUES)
}

export function folded(results: readonly (number | null)[], failed: number): number {
  return (results.reduce<number>((sum, value) => sum + (value ?? 0), 0) + failed) % VALUES
}

/** What becomes of the values that the ways of a fork come to. */
export function joined(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 1) % VALUES
}

/** What an agent's model passes to a call, by the value that it knows and the place of the call in its turn. */
export function asked(value: number, place: number): number {
  return (value + place) % VALUES
}

/** What becomes of a value by another one that is read by name. */
export function referred(value: number, other: number): number {
  return (value + other) % VALUES
}

/** Whether a call is executed where its agent is; every other one is a run that is started. */
export function isCalledInPlace({ does, asksFirst }: AgentTool): boolean {
  return !asksFirst && does.kind === 'act' && does.isScheduled !== true
}

/** What stands in it is run by runs of their own. */
export function isRegion(segment: Segment): segment is Each | Repeat {
  return segment.kind === 'each' || segment.kind === 'repeat'
}

/** Whether no value leaves it: all its ways end. */
export function leadsNowhere(segments: readonly Segment[]): boolean {
  return segments.some((segment) => {
    if (segment.kind === 'stop') return true
    if (segment.kind === 'fork') return segment.ways.some(leadsNowhere)
    if (segment.kind === 'if' || segment.kind === 'switch') return insideOf(segment).every(leadsNowhere)
    return false
  })
}

/** All segments, those inside others included. */
export function* allSegments(segments: readonly Segment[]): Generator<Segment> {
  for (const segment of segments) {
    yield segment
    for (const inner of insideOf(segment)) yield* allSegments(inner)
  }
}

/** How many runs come of one of these at the most, itself included. */
export function runsOf(segments: readonly Segment[], flows: readonly FlowSpec[]): number {
  return segments.reduce((sum, segment) => sum + runsStarted(segment, flows), 1)
}

function runsStarted(segment: Segment, flows: readonly FlowSpec[]): number {
  if (segment.kind === 'call') return runsOf(flows[segment.flow]!.segments, flows)
  if (segment.kind === 'each') return segment.count * runsOf(segment.body, flows)
  if (segment.kind === 'repeat') return segment.most * runsOf(segment.body, flows)
  if (segment.kind === 'agent') return runsOfAgent(segment, flows)
  return insideOf(segment).reduce((sum, way) => sum + runsOf(way, flows) - 1, 0)
}

function runsOfAgent({ turns, tools }: Agent, flows: readonly FlowSpec[]): number {
  const called = turns.flat().flatMap((place) => tools[place] ?? [])
  return called.reduce((sum, { does }) => sum + runsOf([does], flows), turns.length + 1)
}

export function insideOf(segment: Segment): readonly (readonly Segment[])[] {
  if (segment.kind === 'if') return [segment.yes, segment.no]
  if (segment.kind === 'switch') return [...segment.cases, segment.otherwise]
  if (segment.kind === 'fork') return segment.ways
  if (segment.kind === 'agent') return segment.tools.map(({ does }) => [does])
  return isRegion(segment) ? [segment.body] : []
}
