import type { JsonValue, KnownCall } from '../../../plugin-api.ts'
import { type JudgedCall, writtenInput } from './agent-tools.ts'
import type { Turn } from './agent-turn.ts'
import { resultOf, shownResult } from './tool-result.ts'

/** One question to the model, with what it said and called. */
interface ToldTurn {
  /** Its place among all that the agent asked. */
  readonly index: number
  readonly run_id: string
  readonly text: string
  readonly thought?: string
  readonly usage: Turn['usage']
  readonly duration_ms: number | null
  readonly calls: readonly ToldToolCall[]
}

interface ToldToolCall {
  readonly index: number
  readonly name: string
  readonly arguments: JsonValue
  /** `open`: it goes on, waits for somebody, or was never begun. */
  readonly status: KnownCall['status']
  readonly result?: unknown
  readonly error?: { readonly code: string; readonly message: string }
  /** Absent where nothing was called: the arguments did not fit. */
  readonly run_id?: string
  readonly duration_ms?: number | null
}

/** What an agent has asked so far, from the place of a question on. */
export function turnsOf(known: readonly KnownCall[], from = 0): ToldTurn[] {
  const byPlace = new Map(known.map((call) => [call.index, call]))
  const turns: ToldTurn[] = []
  for (let index = from; ; ) {
    const asked = byPlace.get(index)
    if (asked?.status !== 'succeeded') return turns
    const { text = '', thought, usage, calls = [] } = asked.outputs as Turn
    turns.push({
      index,
      run_id: asked.runId,
      text,
      ...(thought !== undefined && { thought }),
      usage,
      duration_ms: asked.durationMs,
      calls: calls.map((call, at) => toldCall(call, index + 1 + at, byPlace.get(index + 1 + at)))
    })
    index += 1 + calls.length
  }
}

function toldCall(call: JudgedCall, index: number, known: KnownCall | undefined): ToldToolCall {
  const asked = { index, name: call.name, arguments: writtenInput(call) }
  if (call.wrong !== undefined)
    return { ...asked, status: 'failed', error: { code: 'tool_arguments_invalid', message: call.wrong } }
  if (known === undefined) return { ...asked, status: 'open' }
  const { status, outputs, runId, durationMs } = known
  const ran = { run_id: runId, duration_ms: durationMs }
  if (status === 'open') return { ...asked, status, ...ran }
  const result = resultOf(status, outputs, known.error)
  const gave = result.error === undefined ? { result: shownResult(result) } : { error: result.error }
  return { ...asked, status, ...gave, ...ran }
}
