import type { StepCall } from '../../engine/effects.ts'
import type { StepLog } from '../../flows/step/step-log.ts'

const MOST_LINES = 100
const MOST_CHARACTERS = 16_000
const LEFT_OUT: StepLog = { level: 'warn', text: 'Further lines were left out.' }

/** Logs are stored with the step, so there is an end to them. */
export function keepLog(call: StepCall, line: StepLog): void {
  call.logs ??= []
  const { logs } = call
  if (logs.at(-1)?.text === LEFT_OUT.text) return
  const characters = logs.reduce((sum, { text }) => sum + text.length, line.text.length)
  logs.push(logs.length < MOST_LINES && characters <= MOST_CHARACTERS ? line : LEFT_OUT)
}
