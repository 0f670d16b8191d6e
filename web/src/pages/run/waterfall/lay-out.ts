import { topologicalOrder, wiresOf } from '../../../../../src/flows/graph/graph.ts'
import { nestedOrder, orderOfRegions, parentsOf } from '../../../../../src/flows/graph/regions.ts'
import { isItem, ownSteps } from '../../../api/items.ts'
import type { FlowDocument, Run, Step } from '../../../api/shapes.ts'
import { type Bar, barsOfRun, barsOfStep, type RunTimes, timesOf } from './bars.ts'

export interface WaterfallRow {
  readonly node: string
  readonly type: string
  /** Of the node, where somebody gave it one. */
  readonly title: string | undefined
  readonly state: string
  readonly attempts: number
  readonly durationMs: number | null
  /** Until the next attempt, where the step waits for it. */
  readonly againInMs: number | undefined
  readonly bars: readonly Bar[]
  /** It was not run: its outputs were pinned. */
  readonly isPinned: boolean
}

export interface Waterfall {
  readonly times: RunTimes
  readonly run: readonly Bar[]
  readonly rows: readonly WaterfallRow[]
  /** Where the last bar ends. */
  readonly end: number
}

/** The steps of a run on one line of time, in the order of the graph where that is known. */
export function layOut(run: Run, document: FlowDocument | undefined, now: number): Waterfall {
  const times = timesOf(run, now)
  const upstream = document === undefined ? undefined : upstreamOf(document)
  const ends = new Map<string, number>()
  const rows = orderedSteps(run, document).map((step): WaterfallRow => {
    const { node, type, status, attempts, duration_ms } = step
    const made = run.attempts.filter((attempt) => attempt.node === node)
    const before = [...ends].filter(([other]) => upstream?.get(node)?.has(other) ?? true)
    const start = startOf(
      step,
      times,
      before.map(([, end]) => end)
    )
    const bars = barsOfStep(step, made, { times, start })
    const end = bars.at(-1)?.to
    if (end !== undefined) ends.set(node, end)
    const title = document?.nodes.find(({ id }) => id === node)?.title
    const againInMs = status === 'waiting' ? timeLeft(made.at(-1)?.retry_at, now) : undefined
    const isPinned = step.pinned === true
    return { node, type, title, state: status, attempts, durationMs: duration_ms, againInMs, bars, isPinned }
  })
  // The clock tells whole milliseconds and steps less than that: a run does not end before its last step.
  const end = Math.max(times.end, ...ends.values())
  return { times, run: barsOfRun(run, { ...times, end }), rows, end }
}

function timeLeft(until: string | null | undefined, now: number): number | undefined {
  return until == null ? undefined : Math.max(0, Date.parse(until) - now)
}

/**
 * When a step began. The clock tells whole milliseconds, in which many steps fit: a step does not begin before those
 * that feed it have ended, so within its millisecond it stands after them.
 */
function startOf({ started_at }: Step, { accepted }: RunTimes, before: readonly number[]): number | null {
  if (started_at === null) return null
  const told = Date.parse(started_at) - accepted
  return Math.max(told, ...before.filter((end) => end < told + 1))
}

function upstreamOf(document: FlowDocument): Map<string, Set<string>> {
  const upstream = new Map<string, Set<string>>(document.nodes.map(({ id }) => [id, new Set()]))
  const links = orderOfRegions(parentsOf(document.nodes), wiresOf(document))
  for (const { fromNode, toNode } of links) if (fromNode !== toNode) upstream.get(toNode)?.add(fromNode)
  return upstream
}

/** The steps in the order of the graph. Those that an open run has not come to are there too. */
function orderedSteps(run: Run, document: FlowDocument | undefined): Step[] {
  const steps = ownSteps(run)
  if (document === undefined) return [...steps]
  const known = new Map(steps.map((step) => [step.node, step]))
  const ids = document.nodes.map(({ id }) => id)
  const parents = parentsOf(document.nodes)
  const wires = wiresOf(document).filter(({ fromNode, toNode }) => fromNode !== toNode)
  const order = nestedOrder(topologicalOrder(ids, orderOfRegions(parents, wires)).sorted ?? ids, parents)
  const inGraph = order.flatMap((id) => {
    const step = known.get(id)
    if (step !== undefined) return [step]
    return run.finished_at === null && runs(run, parents.get(id)) ? [unreached(id, document)] : []
  })
  return [...inGraph, ...steps.filter(({ node }) => !order.includes(node))]
}

/** Whether it runs what stands in a region, or outside of all: nodes inside are run by items alone, each of its own. */
function runs(run: Run, region: string | undefined): boolean {
  return region === (isItem(run) ? run.parent?.node : undefined)
}

function unreached(id: string, document: FlowDocument): Step {
  const { type } = document.nodes.find((node) => node.id === id)!
  const nothing = { started_at: null, duration_ms: null, outputs: null, error: null }
  return { node: id, type, status: 'queued', attempts: 0, ...nothing }
}
