import { boundedWords, toldWords } from '../engine/step-error.ts'
import { writeJson } from '../flows/json/exact-json.ts'
import { isJsonBytes } from '../flows/json/json-bytes.ts'
import { isLongValue } from '../flows/json/long-value.ts'
import type { PresentedRun, PresentedStep } from '../runs/present/run-shape.ts'
import { shownValue } from '../runs/rehearsal/shown-value.ts'

/** In characters: of one value, and of a run. */
const LONGEST_VALUE = 4_000
const LONGEST_RUN = 40_000
/** What is longer is not read to be cut. */
const MOST_READ = 256 * 1024

/** A run as a model is told of it: values by their beginnings. `hasData`: what went in and came out, besides how it ended. */
export function toldRun(run: PresentedRun, hasData: boolean): string {
  const { status, trigger, input, steps, error } = run
  const facts = { status, trigger, error: error === null ? null : { ...error, message: told(error.message) } }
  // What failed, and what came right before it, must not be cut off.
  const latestFirst = steps.toReversed().toSorted((one, other) => rankOf(one) - rankOf(other))
  const ended = latestFirst.map((step) => ({ ...endOf(step), ...(hasData && { outputs: outputsOf(step) }) }))
  const text = writeJson({ ...facts, ...(hasData && { input: shortly(input) }), steps: ended })
  return text.length <= LONGEST_RUN ? text : `${text.slice(0, LONGEST_RUN)}… (cut)`
}

function rankOf({ error, status }: PresentedStep): number {
  if (error !== null) return 0
  return status === 'skipped' ? 2 : 1
}

function endOf({ node, type, status, attempts, error }: PresentedStep) {
  return {
    node,
    type,
    status,
    attempts,
    ...(error !== null && { error: { ...error, message: told(error.message) } })
  }
}

function outputsOf({ outputs }: PresentedStep): Record<string, unknown> | null {
  if (outputs === null) return null
  return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, shortly(value)]))
}

function told(message: string): string {
  return toldWords(boundedWords(message))
}

function shortly(value: unknown): unknown {
  if (isJsonBytes(value) && value.bytes.length > MOST_READ) return `… (${value.bytes.length} bytes)`
  if (isLongValue(value)) return `… (${value.bytes} bytes)`
  const shown = shownValue(isJsonBytes(value) ? value.toJSON() : value)
  const text = writeJson(shown)
  return text.length <= LONGEST_VALUE ? shown : `${text.slice(0, LONGEST_VALUE)}…`
}
