import { carried } from '../engine/settle.ts'
import type { Wire } from '../flows/graph/graph.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { isLongValue } from '../flows/json/long-value.ts'
import type { RunStore, StoredRun } from '../store/store.ts'
import { runStartOf } from './record/run-start.ts'
import { decodeSteps } from './record/step-codec.ts'
import { loadLong } from './steps/long-values.ts'
import type { PinnedOutputs } from './steps/pins.ts'

interface LastInputs {
  /** By input; those that no run has given a value are left out. */
  readonly inputs: Record<string, JsonValue>
  /** The run that most of them come from; undefined where there is none. */
  readonly run: StoredRun | undefined
}

/** By node and output: a pinned one stands for all outputs of its node. */
type PinnedByNode = ReadonlyMap<string, PinnedOutputs>

type Reading = Pick<RunStore, 'latestWithOutput' | 'readPiece'>

/**
 * What is on the wires to a node: what is pinned where they come from, else what runs have last put on them. All of that is
 * of one run where that run has it: values of two runs side by side would be an input that never was.
 */
export async function lastInputs(
  flowId: string,
  node: string,
  { wires, pins }: { readonly wires: readonly Wire[]; readonly pins: PinnedByNode },
  store: Reading
): Promise<LastInputs> {
  // One that nothing leads to takes what the run was started with.
  const sources = wires.length === 0 ? [node] : [...new Set(wires.map((wire) => wire.fromNode))]
  const latest = await Promise.all(sources.map((node) => store.latestWithOutput(flowId, node)))
  const runs = latest.filter((run) => run !== undefined).toSorted((one, other) => other.seq - one.seq)
  const inputs: Record<string, JsonValue> = {}
  for (const { fromNode, fromPort, toPort } of wires) {
    if (Object.hasOwn(inputs, toPort)) continue
    const pinned = pins.get(fromNode)
    const value =
      pinned === undefined
        ? runs.map((run) => outputOf(run, fromNode, fromPort)).find((output) => output !== undefined)
        : carried(pinned, fromPort)
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
