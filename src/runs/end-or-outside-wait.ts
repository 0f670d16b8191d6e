import {
  LINK_NAMES,
  LINKED,
  type LinkedNodes,
  linkedNodes,
  type PlacedNode
} from '../flows/graph/run-links.ts'
import type { AcceptedRun, Change, EndStatus } from '../store/store.ts'
import { decodeEntry } from './record/journal-codec.ts'
import type { Runs } from './runs.ts'

type Waits = Pick<Runs, 'subscribe' | 'waitForEnd' | 'untilOutsideWaitBelow'>

/**
 * How the run ended, for a caller who waits; undefined when the time is over, or as soon as all of it waits for a call or
 * an answer, itself or in a run that it waits for: that may take days, and the caller may be the very one to give it; also when the
 * caller has gone. To be called right after the run was accepted, with the nodes that it runs.
 */
export async function endOrOutsideWait(
  run: Pick<AcceptedRun, 'id' | 'seq' | 'flowId'>,
  nodes: readonly PlacedNode[],
  ms: number,
  runs: Waits,
  gone?: AbortSignal
): Promise<EndStatus | undefined> {
  // To listen costs something for all runs of the flow: only where there is something to be heard.
  const linked = linkedNodes(nodes)
  const mayAskBelow = nodes.some(isAskingBelow)
  if (linked === undefined && !mayAskBelow) return runs.waitForEnd(run.id, ms, gone)
  const wait = new AbortController()
  const over = new AbortController()
  const giveUp = () => wait.abort()
  gone?.addEventListener('abort', giveUp, { once: true })
  const stop = linked && runs.subscribe(run.flowId, stopAt(run.id, linked, giveUp))
  if (mayAskBelow) void runs.untilOutsideWaitBelow(run, over.signal).then(giveUp)
  try {
    return await runs.waitForEnd(run.id, ms, wait.signal)
  } finally {
    stop?.()
    gone?.removeEventListener('abort', giveUp)
    over.abort()
  }
}

/** A flow that it runs may ask somebody; and so may what stands in a For each. */
function isAskingBelow({ type, parent }: PlacedNode): boolean {
  return (
    type === 'run-flow' || (parent !== undefined && LINK_NAMES.some((name) => LINKED[name].type === type))
  )
}

/** Told that nothing but waits is left, and that one of them is for somebody outside. */
function stopAt(runId: string, { resume, approve }: LinkedNodes, stop: () => void): (change: Change) => void {
  const open = new Set<string>()
  return (change) => {
    if (change.kind !== 'journal' || change.runId !== runId) return
    const { waiting = [], woken = [], settled = [], isParked } = decodeEntry(change.entry, undefined)
    for (const { node } of waiting) if (resume.includes(node) || approve.includes(node)) open.add(node)
    for (const { node } of [...woken, ...settled]) open.delete(node)
    if (isParked === true && open.size > 0) stop()
  }
}
