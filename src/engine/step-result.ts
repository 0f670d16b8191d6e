import { ERROR_OUTPUT } from '../flows/component/ports.ts'
import type { StepCall } from './effects.ts'
import type { StepFailure, StepRecord } from './step-record.ts'

/** What a step comes to that was run. */
export type StepResult = Pick<StepRecord, 'outputs' | 'error'> & { readonly status: 'succeeded' | 'failed' }

type Times = Pick<StepRecord, 'startedAt' | 'durationMs'>
type Writable<T> = { -readonly [Member in keyof T]: T[Member] }

/** R10. `isLedOn`: what follows the node takes its error, and goes on. */
export function failedResult(call: StepCall, error: StepFailure, isLedOn: boolean): StepResult {
  const { node, attempt } = call
  const outputs = isLedOn ? { [ERROR_OUTPUT]: { ...error, node: node.id, attempts: attempt } } : null
  return { status: 'failed', outputs, error }
}

export function recordOf(call: StepCall, result: StepResult, times: Times): StepRecord {
  const { node, attempt, messages, logs } = call
  const { status, outputs, error } = result
  const { startedAt, durationMs } = times
  const { id, type } = node
  const facts = { node: id, type, status, attempts: attempt, startedAt, durationMs, outputs, error }
  const record: Writable<StepRecord> = facts
  if (messages.length > 0) record.messages = messages
  if (logs !== undefined) record.logs = logs
  if (call.answer !== undefined && status === 'succeeded') record.answer = call.answer
  if (node.component.reportsUsage === true && outputs !== null) record.reportsUsage = true
  return record
}
