import { messageOf } from '../errors.ts'
import { ExactNumber, type JsonValue, writeJson } from '../flows/exact-json.ts'
import { StepError } from './step-error.ts'

/**
 * What a component returned, checked to be something that can be stored. Text and the run's own input need no
 * look inside, which is all that the built-in components return: the check costs them nothing.
 */
export function readOutputs(returned: unknown, input: JsonValue): Record<string, unknown> {
  if (returned === undefined || returned === null) return {}
  if (typeof returned !== 'object' || Array.isArray(returned)) {
    throw new StepError(
      `The component returned ${Array.isArray(returned) ? 'a list' : `a ${typeof returned}`}. It must return an object with one member per output.`,
      { code: 'output_not_an_object', retryable: false }
    )
  }
  for (const [name, value] of Object.entries(returned)) {
    if (!isPlain(value) && value !== input) assertStorable(name, value)
  }
  return returned as Record<string, unknown>
}

function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'undefined':
      return true
    default:
      return value === null || value instanceof ExactNumber
  }
}

function assertStorable(name: string, value: unknown): void {
  try {
    writeJson(value)
  } catch (error) {
    throw new StepError(
      `Output "${name}" cannot be stored as JSON: ${messageOf(error)} Return plain data: no cycles, streams or class instances.`,
      { code: 'output_not_json', retryable: false, cause: error }
    )
  }
}
