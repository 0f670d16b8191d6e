import { messageOf } from '../errors.ts'
import type { Turns } from '../flows/in-turns.ts'
import { type JsonValue, PAYLOAD_DEPTH } from '../flows/json/exact-json.ts'
import { parseJsonInTurns } from '../flows/json/parse-json-in-turns.ts'
import type { ComputationFailure, ComputationFault, Computed } from '../flows/step/step-compute.ts'
import { LOG_LEVELS, type StepLog } from '../flows/step/step-log.ts'
import type { SandboxAnswer } from './sandbox-worker.ts'

/**
 * What came of a computation, from what its thread says. Code can change whatever is inside with it, also what prints
 * the answer: an answer that makes no sense is a failure of that code.
 */
export function* readAnswer(answer: SandboxAnswer): Turns<Computed> {
  switch (answer.state) {
    case 'returned':
      return yield* readResult(answer.result)
    case 'silent':
      return { kind: 'silent' }
    case 'failed':
      return answer.fault === undefined ? failure('error', answer) : notJson(answer.fault)
    case 'too-large':
      return fault('size')
    case 'pending':
      return fault('unsettled')
    case 'memory':
    case 'timeout':
      return fault(answer.state)
    case 'syntax':
    case 'crash':
      return failure(answer.state, answer)
    default:
      return tampered()
  }
}

/** The lines among what is said to be lines. */
export function readLogs({ logs }: SandboxAnswer): readonly StepLog[] {
  if (!Array.isArray(logs)) return []
  return logs.filter(
    (each: Partial<StepLog> | null) =>
      typeof each?.text === 'string' && LOG_LEVELS.some((level) => level === each.level)
  )
}

function* readResult(text: unknown): Turns<Computed> {
  let value: JsonValue
  try {
    value = yield* parseJsonInTurns(String(text), PAYLOAD_DEPTH)
  } catch (error) {
    return fault('result', messageOf(error))
  }
  return { kind: 'returned', value }
}

function notJson({ kind, path }: NonNullable<SandboxAnswer['fault']>): ComputationFault {
  return fault('result', `${path} is ${kind}`)
}

function failure(why: ComputationFailure, answer: SandboxAnswer): ComputationFault {
  const { name, message = '', line, column } = answer
  const isNamed = typeof name === 'string' && name !== '' && why !== 'syntax'
  return {
    ...fault(why, isNamed ? `${name}: ${message}` : String(message)),
    ...(typeof line === 'number' && { line }),
    ...(typeof column === 'number' && { column })
  }
}

function tampered(): ComputationFault {
  return fault('error', 'It has changed what the sandbox itself works with')
}

function fault(why: ComputationFailure, message = ''): ComputationFault {
  return { kind: 'failed', why, message }
}
