import type { StepRecord } from '../../engine/step-record.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { KnownCall, Remember } from '../../flows/step/step-calls.ts'
import type { Child } from '../../store/children.ts'
import { decodeSteps } from '../record/step-codec.ts'
import { loadLong, type ReadPiece } from '../steps/long-values.ts'

type CalledChild = Pick<Child, 'index' | 'id' | 'outcome'>

/** What is kept of something that an agent has asked. */
export async function knownCall(child: CalledChild, readPiece: ReadPiece): Promise<KnownCall> {
  const step = lastStep(child)
  return callWith(child, step, await outputsOf(step, readPiece))
}

/** The same with what is to be remembered of what a tool gave; what the agent found out by itself is whole. */
export async function rememberedCall(
  child: CalledChild,
  readPiece: ReadPiece,
  { agent, remember }: { readonly agent: string; readonly remember: Remember }
): Promise<KnownCall> {
  const step = lastStep(child)
  const outputs = await outputsOf(step, readPiece)
  return callWith(child, step, step?.node === agent ? outputs : remember(outputs))
}

/** The same to be shown: what a tool gave that is long stays where it is, and can be read in its run. */
export async function shownKnownCall(
  child: CalledChild,
  agent: string,
  readPiece: ReadPiece
): Promise<KnownCall> {
  const step = lastStep(child)
  if (step?.node === agent) return knownCall(child, readPiece)
  const short = Object.entries(step?.outputs ?? {}).map(([name, value]) => [
    name,
    isLongValue(value) ? `(${value.bytes} bytes: look into the run of the call)` : value
  ])
  return callWith(child, step, Object.fromEntries(short))
}

function lastStep({ outcome }: CalledChild): StepRecord | undefined {
  return outcome === null ? undefined : decodeSteps(outcome.steps, undefined).at(-1)
}

function callWith(
  { index, id: runId, outcome }: CalledChild,
  step: StepRecord | undefined,
  outputs: KnownCall['outputs']
): KnownCall {
  if (outcome === null)
    return { index, runId, status: 'open', outputs: {}, error: null, endedAt: 0, durationMs: null }
  const { status, finishedAt: endedAt } = outcome
  const error = outcome.error === null ? null : (JSON.parse(outcome.error) as KnownCall['error'])
  return { index, runId, status, error, endedAt, durationMs: step?.durationMs ?? null, outputs }
}

async function outputsOf(step: StepRecord | undefined, readPiece: ReadPiece): Promise<KnownCall['outputs']> {
  const outputs: [string, unknown][] = []
  for (const [name, value] of Object.entries(step?.outputs ?? {}))
    outputs.push([name, isLongValue(value) ? await loadLong(value, readPiece) : value])
  return Object.fromEntries(outputs)
}
