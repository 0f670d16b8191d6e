import { type LinkedNodes, linkedNodes, type PlacedNode } from '../flows/run-links.ts'
import type { Change, EndStatus } from '../store/store.ts'
import { decodeEntry } from './journal-codec.ts'
import type { Runs } from './runs.ts'

type Waits = Pick<Runs, 'subscribe' | 'waitForEnd'>

/**
 * How the run ended, for a caller who waits; undefined when the time is over, or as soon as all of it waits for a call or
 * an answer: that may take days, and the caller may be the very one to give it. To be called right after the run was
 * accepted, with the nodes that it runs.
 */
export async function endOrOthers(
  run: { readonly id: string; readonly flowId: string },
  nodes: readonly PlacedNode[],
  ms: number,
  runs: Waits
): Promise<EndStatus | undefined> {
  // To listen costs something for all runs of the flow: only where there is something to be heard.
  const linked = linkedNodes(nodes)
  if (linked === undefined) return runs.waitForEnd(run.id, ms)
  const wait = new AbortController()
  const stop = runs.subscribe(
    run.flowId,
    stopAt(run.id, linked, () => wait.abort())
  )
  try {
    return await runs.waitForEnd(run.id, ms, wait.signal)
  } finally {
    stop()
  }
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
