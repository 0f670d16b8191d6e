import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { poolOfFile, startPool } from './sandbox-pool.test-kit.ts'
import type { SandboxStep } from './sandbox-worker.ts'

const { compute, value } = poolOfFile()

/** Each ends within its own limits, and what comes after it finds the sandbox as it was. */
const ATTACKS: readonly [name: string, source: string, more: Partial<SandboxStep>, why: string][] = [
  ['an endless loop', 'while (true) {}', { timeoutMs: 30 }, 'timeout'],
  [
    'a loop that catches',
    'for (;;) try { for (;;) {} } catch {} finally { for (;;) {} }',
    { timeoutMs: 30 },
    'timeout'
  ],
  [
    'promises without end',
    'const go = () => Promise.resolve().then(go)\nawait go()',
    { timeoutMs: 30 },
    'timeout'
  ],
  ['a pattern that backtracks', 'return /^(a+)+$/.test("a".repeat(40) + "b")', { timeoutMs: 30 }, 'timeout'],
  ['a list without end', 'const all = []\nfor (;;) all.push({ n: all.length })', { memoryMb: 8 }, 'memory'],
  ['4 GB at once', 'return new Uint8Array(4 * 1024 ** 3).length', {}, 'memory'],
  ['a text that doubles', 'let text = "x"\nfor (;;) text += text', {}, 'memory'],
  ['data that is too large', 'return 1', { memoryMb: 8, text: JSON.stringify('x'.repeat(9e6)) }, 'memory'],
  ['recursion', 'const f = () => f() + 1\nreturn f()', {}, 'error'],
  [
    'recursion in JSONata',
    '($f := function($x){ $f($x + 1) }; $f(1))',
    { language: 'jsonata', timeoutMs: 50 },
    'timeout'
  ],
  [
    'a pattern in JSONata',
    '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", /^(a+)+$/)',
    { language: 'jsonata', timeoutMs: 30 },
    'timeout'
  ],
  ['a promise that never settles', 'await new Promise(() => {})', {}, 'unsettled']
]

describe('an attack', () => {
  for (const [name, source, more, why] of ATTACKS)
    it(`by ${name} ends as an error`, async () => {
      const computed = await compute(source, more)
      assert.equal(computed.kind === 'failed' && computed.why, why, JSON.stringify(computed))
      assert.equal(await value('return 1'), 1)
    })

  it('that cannot be interrupted ends with its thread', async (t) => {
    const own = startPool(t, 1)
    const late = { kind: 'failed', why: 'timeout', message: '' }
    assert.deepEqual(await compute('return new Array(3e7).join()', { timeoutMs: 30 }, own), late)
    assert.equal(own.threads, 1, 'another one is there for what comes next')
    const text = { language: 'jsonata', timeoutMs: 30 } as const
    assert.deepEqual(await compute('$pad("x", 1e8)', text, own), late)
    assert.equal(await value('return 1', {}, own), 1)
  })
})
