import type { Outputs } from '../engine/step-record.ts'
import { isLongValue } from '../flows/json/long-value.ts'
import type { RunStore, StoredRun } from '../store/store.ts'
import { runStartOf } from './record/run-start.ts'
import { decodeSteps } from './record/step-codec.ts'
import { loadLong } from './steps/long-values.ts'
import type { PinnedOutputs } from './steps/pins.ts'

interface Known {
  readonly pins: ReadonlyMap<string, PinnedOutputs>
  /** What is read of it comes from one run with all that came before. */
  readonly run: StoredRun | undefined
}

/** What nodes have put out that another one reads: what is pinned, else what came of this run, else of the last that has it. */
export async function lastOutputs(
  flowId: string,
  nodes: readonly string[],
  { pins, run }: Known,
  store: Pick<RunStore, 'latestWithOutput' | 'readPiece'>
): Promise<ReadonlyMap<string, Outputs>> {
  const found = new Map<string, Outputs>()
  for (const node of nodes) {
    const outputs = pins.get(node) ?? outputsIn(run, node)
    const given = outputs ?? outputsIn(await store.latestWithOutput(flowId, node), node)
    if (given !== undefined) found.set(node, await inMemory(given, store))
  }
  return found
}

function outputsIn(run: StoredRun | undefined, node: string): Outputs | undefined {
  if (run === undefined || run.outcome === null) return undefined
  const steps = decodeSteps(run.outcome.steps, runStartOf(run))
  return steps.find((step) => step.node === node)?.outputs ?? undefined
}

async function inMemory(outputs: Outputs, store: Pick<RunStore, 'readPiece'>): Promise<Outputs> {
  const loaded = Object.entries(outputs).map(async ([name, value]) => [
    name,
    isLongValue(value) ? await loadLong(value, (...place) => store.readPiece(...place)) : value
  ])
  return Object.fromEntries(await Promise.all(loaded))
}
