import { type JsonValue, parseJson, writeJson } from '../../flows/json/exact-json.ts'
import { isJsonBytes } from '../../flows/json/json-bytes.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { PresentedRun } from '../present/run-shape.ts'
import type { Runs } from '../runs.ts'
import { loadLong } from '../steps/long-values.ts'

/** What its Return got, or null. */
export async function returnedValue({ output }: PresentedRun, { readPiece }: Runs): Promise<JsonValue> {
  if (isLongValue(output)) return (await loadLong(output, readPiece)) as JsonValue
  if (isJsonBytes(output)) return parseJson(Buffer.from(output.bytes).toString())
  return (output ?? null) as JsonValue
}

/** The same in words. */
export async function returnedText(run: PresentedRun, runs: Runs): Promise<string> {
  const value = await returnedValue(run, runs)
  if (value === null) return ''
  return typeof value === 'string' ? value : writeJson(value)
}
