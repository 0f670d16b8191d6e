import type { JsonValue } from '../flows/exact-json.ts'
import type { Wire } from '../flows/graph.ts'
import { isLongValue } from '../flows/long-value.ts'
import type { RunStore, StoredRun } from '../store/store.ts'
import { loadLong } from './long-values.ts'
import { runStartOf } from './run-start.ts'
import { decodeSteps } from './step-codec.ts'

export interface LastInputs {
  /** By input; those that no run has given a value are left out. */
  readonly inputs: Record<string, JsonValue>
  /** The run that most of them come from; undefined where there is none. */
  readonly run: StoredRun | undefined
}

type Reading = Pick<RunStore, 'latestWithOutput' | 'readPiece'>

/**
 * What runs have last put on the wires to a node. All of it is of one run where that run has it: values of two runs
 * side by side would be an input that never was.
 */
export async function lastInputs(
  flowId: string,
  node: string,
  wires: readonly Wire[],
  store: Reading
): Promise<LastInputs> {
  // One that nothing leads to takes what the run was started with.
  const sources = wires.length === 0 ? [node] : [...new Set(wires.map((wire) => wire.fromNode))]
  const latest = await Promise.all(sources.map((node) => store.latestWithOutput(flowId, node)))
  const runs = latest.filter((run) => run !== undefined).toSorted((one, other) => other.seq - one.seq)
  const inputs: Record<string, JsonValue> = {}
  for (const { fromNode, fromPort, toPort } of wires) {
    if (Object.hasOwn(inputs, toPort)) continue
    const value = runs.map((run) => outputOf(run, fromNode, fromPort)).find((output) => output !== undefined)
    if (value === undefined) continue
    const whole = isLongValue(value) ? await loadLong(value, (...place) => store.readPiece(...place)) : value
    Object.defineProperty(inputs, toPort, {
      value: whole,
      enumerable: true,
      writable: true,
      configurable: true
    })
  }
  return { inputs, run: runs[0] }
}

function outputOf(run: StoredRun, node: string, port: string): unknown {
  const steps = run.outcome === null ? [] : decodeSteps(run.outcome.steps, runStartOf(run))
  const outputs = steps.find((step) => step.node === node)?.outputs ?? {}
  return Object.hasOwn(outputs, port) ? outputs[port] : undefined
}
