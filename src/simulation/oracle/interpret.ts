import {
  type Act,
  type Agent,
  acted,
  asked,
  CAUGHT,
  calledWith,
  decided,
  type Each,
  failsForGood,
  folded,
  isCalledInPlace,
  itemsOf,
  joined,
  leadsNowhere,
  type Repeat,
  referred,
  type Segment,
  VALUES
} from '../life/flow-spec.ts'

/** How a child of the run ended, as its own record tells: that is judged by itself. */
export interface ChildEnd {
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  readonly value: number | null
  /** What it began with. */
  readonly given: number | null
}

export interface Surroundings {
  /** Which way a wait went; by `call`, `Approve`, `Reject` or `null` where nobody came. */
  readonly wayOf: (node: string) => string | null
  readonly childrenOf: (node: string) => ReadonlyMap<number, ChildEnd>
  /** What an act gave that stands outside of the region that this is a part of. */
  readonly outside: (node: string) => number | undefined
  /** It had ended, maybe, and was retried. */
  readonly mayHaveGoneOn: boolean
}

/** What a run must have done, and how it must have ended. */
export interface Expected {
  readonly effects: string[]
  readonly counts: string[]
  readonly status: 'succeeded' | 'failed'
  readonly value: number | null
}

/** A plain reading of a flow: one thing after the other, by somebody who knows nothing of engines. */
export function interpret(segments: readonly Segment[], input: number, around: Surroundings): Expected {
  const done: Done = { effects: [], counts: [], values: new Map(), hasFailed: false }
  const value = follow(segments, input, around, done)
  const { effects, counts } = done
  const hasFailed = done.hasFailed || typeof value !== 'number'
  return { effects, counts, status: hasFailed ? 'failed' : 'succeeded', value: hasFailed ? null : value }
}

/** What a way comes to. `nowhere`: it failed on a branch that leads to nothing, so what follows the others does not wait for it. */
type Came = number | 'failed' | 'nowhere'

interface Done {
  readonly effects: string[]
  readonly counts: string[]
  /** What acts gave. */
  readonly values: Map<string, number>
  /** On a branch that others went past. */
  hasFailed: boolean
}

function follow(segments: readonly Segment[], input: number, around: Surroundings, done: Done): Came {
  let value = input
  for (const segment of segments) {
    const next = one(segment, value, around, done)
    if (typeof next !== 'number') return next
    value = next
  }
  return value
}

function branch(segments: readonly Segment[], value: number, around: Surroundings, done: Done): Came {
  const came = follow(segments, value, around, done)
  return came === 'failed' && leadsNowhere(segments) ? 'nowhere' : came
}

function one(segment: Segment, value: number, around: Surroundings, done: Done): Came {
  const { id } = segment
  switch (segment.kind) {
    case 'act':
      return act(segment, value, done)
    case 'if':
      return branch(value % 2 === 0 ? segment.yes : segment.no, value, around, done)
    case 'switch':
      return branch(segment.cases[value] ?? segment.otherwise, value, around, done)
    case 'each':
      return each(segment, value, around, done)
    case 'repeat':
      return repeat(segment, value, around, done)
    case 'agent':
      return agent(segment, value, around, done)
    case 'fork':
      return fork(segment.ways, value, around, done)
    case 'call': {
      if (!segment.waits) return value
      const child = around.childrenOf(id).get(0)
      return child?.status === 'succeeded' && child.value !== null ? child.value : 'failed'
    }
    case 'wait':
      return around.wayOf(id) === 'call' ? calledWith(id) : value
    case 'approve':
      return decided(value, around.wayOf(id))
    case 'refer':
      return refer(value, done.values.get(segment.to) ?? around.outside(segment.to))
    case 'consent':
      return around.wayOf(id) === 'Approve' ? value : 'failed'
    case 'count':
      done.counts.push(id)
      return value
    case 'delay':
    case 'keep':
    case 'say':
    case 'off':
    case 'silent':
      return value
    case 'stop':
      return 'failed'
  }
}

/** Whatever becomes of one way, the others may have been gone. */
function fork(ways: readonly (readonly Segment[])[], value: number, around: Surroundings, done: Done): Came {
  const came = ways.map((way) => follow(way, value, around, done))
  if (came.includes('failed')) return 'failed'
  const values = came.filter((one) => typeof one === 'number')
  if (values.length === 0) return 'nowhere'
  if (values.length < came.length) done.hasFailed = true
  return joined(values)
}

function act(segment: Act, value: number, { effects, values }: Done): number | 'failed' {
  const { id } = segment
  effects.push(`${id}(${value})`)
  if (failsForGood(segment)) return segment.isCaught === true ? CAUGHT : 'failed'
  values.set(id, acted(id, value))
  return acted(id, value)
}

function refer(value: number, other: number | undefined): number | 'failed' {
  return other === undefined ? 'failed' : referred(value, other)
}

function each(
  { id, count, failures }: Each,
  value: number,
  around: Surroundings,
  done: Done
): number | 'failed' {
  const children = around.childrenOf(id)
  const items = itemsOf(value, count)
  const ends = items.map((_, index) => children.get(index))
  for (const [index, end] of ends.entries()) {
    if (end !== undefined && end.given !== items[index]) done.effects.push(wrongStart(id, index))
  }
  const failed = ends.filter((end) => end !== undefined && end.status !== 'succeeded').length
  if (failures === 'stop' && failed > 0) return 'failed'
  return (
    folded(
      ends.map((end) => (end?.status === 'succeeded' ? end.value : null)),
      failed
    ) % VALUES
  )
}

/** Each round begins with what the one before gave, and none is begun too many. */
function repeat(
  { id, most, until }: Repeat,
  input: number,
  around: Surroundings,
  done: Done
): number | 'failed' {
  const children = around.childrenOf(id)
  let value = input
  for (let index = 0; index < most; index++) {
    const round = children.get(index)
    if (round === undefined) return 'failed'
    if (round.given !== value) done.effects.push(wrongStart(id, index))
    if (round.status !== 'succeeded') return 'failed'
    value = round.value ?? value
    if (value !== until && index + 1 < most) continue
    if (children.size > index + 1) done.effects.push(`${id} has a round too many`)
    return value
  }
  return value
}

/** What no run has done: so no run is held to be right that began with something else. */
function wrongStart(id: string, index: number): string {
  return `${id}/${index} began with something else`
}

/** Asks and calls by turns, as its model is scripted. */
function agent(
  { id, tools, turns, mostSteps }: Agent,
  input: number,
  around: Surroundings,
  done: Done
): number | 'failed' {
  const children = around.childrenOf(id)
  let value = input
  let index = 0
  // Who retries a run lets its model be asked as often again.
  const mayAsk = (turn: number) => turn < mostSteps || (around.mayHaveGoneOn && children.has(index))
  for (let turn = 0; mayAsk(turn); turn++) {
    done.effects.push(`${id}-turn-${turn}(${value})`)
    const calls = turns[turn]
    if (calls === undefined) return value
    const results = calls.map((place, at) => {
      const tool = tools[place]
      const given = asked(value, at)
      // The model is told that there is none.
      if (tool === undefined) return CAUGHT
      const end = children.get(index + 1 + at)
      if (!isCalledInPlace(tool)) return end?.status === 'succeeded' ? (end.value ?? CAUGHT) : CAUGHT
      const gave = one(tool.does, given, around, done)
      return typeof gave === 'number' ? gave : CAUGHT
    })
    value = joined(results)
    index += 1 + calls.length
  }
  return 'failed'
}
