import { type FieldFault, readDuration, StepError } from '../../plugin-api.ts'

/** How long somebody else may take; an empty one ends by nothing but what it waits for. */
export const TIMEOUT_FIELD = {
  kind: 'text',
  title: 'Timeout',
  help: 'How long it waits at most: a number of s, m, h or d. Empty: without end.',
  placeholder: '3d'
} as const

export function timeoutFaults(timeout: string): FieldFault[] {
  // A variable of the context is filled in when the step runs.
  if (timeout.trim() === '' || timeout.includes('{$')) return []
  const read = readDuration(timeout)
  return typeof read === 'number' ? [] : [{ field: 'timeout', message: read.wrong }]
}

/** For `step.wait`. */
export function timeoutOf(timeout: string): { readonly forMs?: number } {
  if (timeout.trim() === '') return {}
  const read = readDuration(timeout)
  if (typeof read === 'number') return { forMs: read }
  throw new StepError(`Field "timeout": ${read.wrong}`, { code: 'invalid_duration', retryable: false })
}
