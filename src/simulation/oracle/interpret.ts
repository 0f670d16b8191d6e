import {
  acted,
  CAUGHT,
  calledWith,
  decided,
  type Each,
  failsForGood,
  folded,
  itemsOf,
  joined,
  type Segment,
  VALUES
} from '../life/flow-spec.ts'

/** How a child of the run ended, as its own record tells: that is judged by itself. */
export interface ChildEnd {
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  readonly value: number | null
}

export interface Surroundings {
  /** Which way a wait went; by `call`, `Approve`, `Reject` or `null` where nobody came. */
  readonly wayOf: (node: string) => string | null
  readonly childrenOf: (node: string) => ReadonlyMap<number, ChildEnd>
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
  const done = { effects: [] as string[], counts: [] as string[] }
  const value = follow(segments, input, around, done)
  return {
    ...done,
    status: value === 'failed' ? 'failed' : 'succeeded',
    value: typeof value === 'number' ? value : null
  }
}

type Done = { readonly effects: string[]; readonly counts: string[] }

function follow(
  segments: readonly Segment[],
  input: number,
  around: Surroundings,
  done: Done
): number | 'failed' {
  let value = input
  for (const segment of segments) {
    const next = one(segment, value, around, done)
    if (next === 'failed') return next
    value = next
  }
  return value
}

function one(segment: Segment, value: number, around: Surroundings, done: Done): number | 'failed' {
  const { id } = segment
  switch (segment.kind) {
    case 'act':
      done.effects.push(`${id}(${value})`)
      if (!failsForGood(segment)) return acted(id, value)
      return segment.isCaught === true ? CAUGHT : 'failed'
    case 'if':
      return follow(value % 2 === 0 ? segment.yes : segment.no, value, around, done)
    case 'switch':
      return follow(segment.cases[value] ?? segment.otherwise, value, around, done)
    case 'each':
      return each(segment, value, around)
    case 'fork': {
      // Whatever becomes of one way, the others may have been gone.
      const values = segment.ways.map((way) => follow(way, value, around, done))
      return values.includes('failed') ? 'failed' : joined(values as number[])
    }
    case 'call': {
      if (!segment.waits) return value
      const child = around.childrenOf(id).get(0)
      return child?.status === 'succeeded' && child.value !== null ? child.value : 'failed'
    }
    case 'wait':
      return around.wayOf(id) === 'call' ? calledWith(id) : value
    case 'approve':
      return decided(value, around.wayOf(id))
    case 'count':
      done.counts.push(id)
      return value
    case 'delay':
    case 'keep':
    case 'off':
    case 'silent':
      return value
    case 'stop':
      return 'failed'
  }
}

function each({ id, count, failures }: Each, value: number, around: Surroundings): number | 'failed' {
  const children = around.childrenOf(id)
  const ends = itemsOf(value, count).map((_, index) => children.get(index))
  const failed = ends.filter((end) => end !== undefined && end.status !== 'succeeded').length
  if (failures === 'stop' && failed > 0) return 'failed'
  return (
    folded(
      ends.map((end) => (end?.status === 'succeeded' ? end.value : null)),
      failed
    ) % VALUES
  )
}
