import { messageOf } from '../errors.ts'
import { ExactNumber, PAYLOAD_DEPTH, writeJson } from '../flows/json/exact-json.ts'
import { isLong } from '../flows/json/json-pieces.ts'
import { StepError } from './step-error.ts'

/**
 * What a component returned, checked to be something that can be stored. Text and what came with the request need no
 * look inside, which is all that the built-in components return: the check costs them nothing. What is long is not
 * printed here, but where it is stored, in pieces.
 */
export function readOutputs(returned: unknown, storedValues: readonly unknown[]): Record<string, unknown> {
  if (returned === undefined || returned === null) return {}
  if (typeof returned !== 'object' || Array.isArray(returned)) {
    throw new StepError(
      `The component returned ${Array.isArray(returned) ? 'a list' : `a ${typeof returned}`}. It must return an object with one member per output.`,
      { code: 'output_not_an_object', retryable: false }
    )
  }
  // Each member is read once, here, where whatever that brings about fails the step: a getter may throw later.
  const outputs: Record<string, unknown> = { ...returned }
  for (const name in outputs) {
    const value = outputs[name]
    if (!isPlain(value) && !storedValues.includes(value)) assertStorable(name, value)
  }
  return outputs
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
  // JSON.stringify leaves these out without a word, so the value would be gone after a restart.
  if (typeof value === 'function' || typeof value === 'symbol')
    throw notJson(name, `a ${typeof value} cannot be written as JSON`)
  try {
    if (!isLong(value)) writeJson(value, undefined, PAYLOAD_DEPTH)
  } catch (error) {
    throw notJson(name, messageOf(error), error)
  }
}

export function notJson(name: string, reason: string, cause?: unknown): StepError {
  const message = `Output "${name}": ${reason}. Return plain data: no cycles, functions or streams.`
  return new StepError(message, { code: 'output_not_json', retryable: false, cause })
}
