import assert from 'node:assert/strict'
import { waysToWrite } from '../../../src/connections/redaction/written-ways.test-kit.ts'

/** It has what URLs, forms and JSON write otherwise; the part in the middle is written alike by all of them. */
const CORE = 'canary0123456789'
export const CANARY = `"a/${CORE}+b=c`
export const OTHER = `"a/${CORE}+token`

/** By the letters that all ways of writing leave alone, and by those that leave none. */
const TRACES = [
  CORE,
  ...[CANARY, OTHER]
    .flatMap((secret) => Object.values(waysToWrite(secret)))
    .filter((text) => !text.includes(CORE))
]

export function assertClean(bytes: Buffer, where: string): void {
  for (const trace of TRACES) {
    const at = bytes.indexOf(trace)
    if (at === -1) continue
    const around = bytes.subarray(Math.max(0, at - 200), at + 100).toString()
    assert.fail(`${trace} is in ${where.slice(0, 300)}\n… ${around}`)
  }
}
