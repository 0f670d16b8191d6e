import type { RunStore, StoredRun } from '../store/store.ts'
import { givenInside, isInside } from './children/run-result.ts'
import { runStartOf } from './record/run-start.ts'
import type { PinnedOutputs } from './steps/pins.ts'

/** Where a node of a region stands. */
export interface InsideRegion {
  readonly region: string
  /** Nodes outside that lead to the region. */
  readonly into: readonly string[]
  /** The node, and those beside it that lead to it. */
  readonly inside: readonly string[]
}

type Reading = Pick<RunStore, 'latestWithOutput' | 'children' | 'get'>

/** What a region last gave to its inside; undefined where no item of it, and no round, has ever begun. */
export async function lastGiven(
  flowId: string,
  { region, into, inside }: InsideRegion,
  store: Reading
): Promise<PinnedOutputs | undefined> {
  const latest = (nodes: readonly string[]) =>
    Promise.all(nodes.map((node) => store.latestWithOutput(flowId, node)))
  const items = (await latest(inside)).filter((run) => run !== undefined && isItemOf(run, region))
  // In the last run perhaps none of its nodes has put anything out: they failed, which is why somebody tries one.
  const parent = newest(await latest([...into, region]))
  const first = parent && (await store.children(parent.seq, region, 0, 1))[0]
  const run = newest([...items, first && (await store.get(first.id))])
  return run && givenInside(run.trigger, runStartOf(run).input, run.parent!.index)
}

function isItemOf(run: StoredRun, region: string): boolean {
  return isInside(run) && run.parent?.node === region
}

function newest(runs: readonly (StoredRun | undefined)[]): StoredRun | undefined {
  return runs.filter((run) => run !== undefined).toSorted((one, other) => other.seq - one.seq)[0]
}
