import type { ChildResult, JsonValue, KnownCall } from '../../../plugin-api.ts'
import { boundedWords, writeJson } from '../../../plugin-api.ts'

/** What a tool came to. */
export interface ToolResult {
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  /** What the tool gave; absent where it failed. */
  readonly result?: unknown
  readonly error?: { readonly code: string; readonly message: string }
}

/** In characters: more fills what a model can take, and is read badly. */
const LONGEST_TOLD = 50_000
/** Of these, for the words that say that it was cut. */
const ROOM_FOR_CUT = 100

export function resultOf(
  status: ToolResult['status'],
  outputs: Readonly<Record<string, unknown>>,
  error: ChildResult['error']
): ToolResult {
  if (status === 'succeeded') return { status, result: toldValue(outputs) }
  return { status, error: error ?? { code: 'run_cancelled', message: 'The call was cancelled.' } }
}

/** The first output, where something left by it: what a component has beside it tells how that came. */
function toldValue(outputs: Readonly<Record<string, unknown>>): unknown {
  const given = Object.entries(outputs).filter(([, value]) => value !== undefined)
  const [first, second] = given
  if (first === undefined) return null
  const isChoice = second === undefined && LEAVING.has(first[0])
  return isChoice ? { [first[0]]: first[1] } : first[1]
}

/** Outputs that say by themselves what was found. */
const LEAVING: ReadonlySet<string> = new Set(['true', 'false', 'timed_out', 'default', 'exhausted'])

/** The same as the model is told of it. */
export function toldText({ status, result, error }: ToolResult): string {
  if (status !== 'succeeded') return `${error!.code}: ${boundedWords(error!.message)}`
  const text = textOf(result)
  return text.length <= LONGEST_TOLD ? text : cutText(text)
}

/** As much as is told of it: with twenty results of 10 MB an agent would fill the memory. */
export function remembered(outputs: KnownCall['outputs']): KnownCall['outputs'] {
  const result = toldValue(outputs)
  const text = textOf(result)
  return { result: text.length <= LONGEST_TOLD ? result : cutText(text) }
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : writeJson((result ?? null) as JsonValue)
}

function cutText(text: string): string {
  const length = LONGEST_TOLD - ROOM_FOR_CUT
  // A copy: a part of a string holds all of it in memory.
  const beginning = Buffer.from(text.slice(0, length)).toString()
  return `${beginning}… (cut: ${text.length - length} more characters. Ask for less at once.)`
}

/** As the model was told of it: the whole is in the run of the call. */
export function shownResult(result: ToolResult): unknown {
  const text = toldText(result)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : (result.result ?? null)
}

const LONGEST_SHOWN = 10_000
