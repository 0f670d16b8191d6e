import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { Edge } from '../graph/flow.ts'

/** What a run tells of one of its steps, as far as wires need it. */
export interface RanStep {
  readonly status: string
  readonly outputs: Readonly<Record<string, JsonValue>> | null
  /** An event leaves out what is large; it has to be asked for. */
  readonly outputs_omitted?: boolean
  /** Of a For each: what it gave the item that is looked at. */
  readonly given?: Readonly<Record<string, JsonValue>>
}

export type Carried =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** Nothing went over it, and why. */
  | { readonly kind: 'silent'; readonly because: 'output' | 'failed' | 'skipped' | 'not reached' }
  /** The step has not come to its end, was left out of what is known, or is no part of the run. */
  | { readonly kind: 'unknown' }

const UNKNOWN: Carried = { kind: 'unknown' }

/** What went over a wire in a run. */
export function carriedBy({ from }: Pick<Edge, 'from'>, steps: ReadonlyMap<string, RanStep>): Carried {
  const end = parseEnd(from)
  const step = end === undefined ? undefined : steps.get(end.node)
  if (end === undefined || step === undefined) return UNKNOWN
  if (step.given !== undefined && Object.hasOwn(step.given, end.port)) {
    return { kind: 'value', value: step.given[end.port]! }
  }
  if (step.outputs_omitted === true) return UNKNOWN
  if (step.outputs !== null && Object.hasOwn(step.outputs, end.port)) {
    return { kind: 'value', value: step.outputs[end.port]! }
  }
  switch (step.status) {
    case 'succeeded':
      return { kind: 'silent', because: 'output' }
    case 'failed':
      return { kind: 'silent', because: 'failed' }
    case 'skipped':
      return { kind: 'silent', because: 'skipped' }
    case 'cancelled':
    case 'not reached':
      return { kind: 'silent', because: 'not reached' }
    default:
      return UNKNOWN
  }
}

/** Of the wires into one input, in the order of the document, the one whose value it took. */
export function takenWire(wires: readonly Edge[], steps: ReadonlyMap<string, RanStep>): Edge | undefined {
  return wires.find((edge) => carriedBy(edge, steps).kind === 'value')
}
