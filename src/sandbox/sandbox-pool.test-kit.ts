import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { systemClock } from '../clock.ts'
import { inTurns } from '../flows/in-turns.ts'
import type { Computed } from '../flows/step/step-compute.ts'
import { readAnswer } from './read-answer.ts'
import { SandboxPool, type SandboxPoolOptions } from './sandbox-pool.ts'
import type { SandboxStep } from './sandbox-worker.ts'

export const NEVER = new AbortController().signal

export const AT = Date.UTC(2026, 0, 2, 3, 4, 5)

export function step(source: string, more: Partial<SandboxStep> = {}): SandboxStep {
  return {
    language: 'javascript',
    source,
    text: 'null',
    // Enough for a slow machine: what is to be ended says so itself.
    timeoutMs: 20_000,
    memoryMb: 32,
    now: AT,
    seed: 'run-1/code-1',
    mostCharacters: 1_000_000,
    ...more
  }
}

export function startPool(
  t: TestContext,
  size: number,
  clock: SandboxPoolOptions['clock'] = systemClock()
): SandboxPool {
  const made = new SandboxPool({ size, clock })
  t.after(() => made.close())
  return made
}

/**
 * One thread for most tests of a file, as to begin one takes longer than they do. Whatever they leave behind is in the next
 * one's way. It is never ended: on a busy machine that could come before the engine ends the code itself.
 */
export function poolOfFile() {
  const pool = new SandboxPool({ size: 1, clock: { startTimer: () => ({ stop: () => {} }) } })
  after(() => pool.close())

  async function compute(source: string, more: Partial<SandboxStep> = {}, by = pool): Promise<Computed> {
    return inTurns(readAnswer(await by.compute(step(source, more), NEVER)), { pause: () => undefined })
  }

  async function value(source: string, more: Partial<SandboxStep> = {}, by = pool): Promise<unknown> {
    const computed = await compute(source, more, by)
    assert.equal(computed.kind, 'returned', JSON.stringify(computed))
    return computed.kind === 'returned' ? computed.value : undefined
  }

  return { pool, compute, value }
}
