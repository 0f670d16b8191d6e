import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { systemClock } from '../clock.ts'
import { inTurns } from '../flows/in-turns.ts'
import type { Computed } from '../flows/step/step-compute.ts'
import { readAnswer, readLogs } from './read-answer.ts'
import { SandboxPool, type SandboxPoolOptions, sandboxSize } from './sandbox-pool.ts'
import { type SandboxStep, SandboxWorker } from './sandbox-worker.ts'

const NEVER = new AbortController().signal
const AT = Date.UTC(2026, 0, 2, 3, 4, 5)

function step(source: string, more: Partial<SandboxStep> = {}): SandboxStep {
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

function startPool(
  t: TestContext,
  size: number,
  clock: SandboxPoolOptions['clock'] = systemClock()
): SandboxPool {
  const made = new SandboxPool({ size, clock })
  t.after(() => made.close())
  return made
}

/**
 * One thread for most tests, as to begin one takes longer than they do. Whatever they leave behind is in the next one's
 * way. It is never ended: on a busy machine that could come before the engine ends the code itself.
 */
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

describe('code in the sandbox', () => {
  const FAULTS: [source: string, why: string, place: string, message: RegExp][] = [
    ['return 1 +* 2', 'syntax', '1:11', /^Expression expected$/],
    ['const a: number = 1\nreturn a +* 2', 'syntax', '2:11', /^Expression expected$/],
    ['return 1 +', 'syntax', '1:11', /ends too early/],
    ['return {a: 1\n', 'syntax', '2:1', /ends too early/],
    ['return 1 }', 'syntax', '', /closed that was never opened/],
    ['} + {', 'syntax', '', /closed that was never opened/],
    ['delete data', 'syntax', '1:12', /delete/],
    ['for (const x of 1) {}', 'error', '1:1', /not iterable/],
    ['// of\n/* both */ const { a } = undefined', 'error', '2:12', /TypeError/]
  ]
  for (const [source, why, place, message] of FAULTS)
    it(`tells what is wrong with it, and where: ${JSON.stringify(source)}`, async () => {
      const told = await compute(source)
      assert.ok(told.kind === 'failed')
      assert.deepEqual([told.why, [told.line, told.column].join(':').replace(/^:$/, '')], [why, place])
      assert.match(told.message, message)
    })

  it('is the body of a function of data, in JavaScript or TypeScript', async () => {
    const text = '{"items":[{"price":2.5},{"price":4}]}'
    assert.equal(await value('return data.items.reduce((sum, { price }) => sum + price, 0)', { text }), 6.5)
    const typed =
      'interface Item { price: number }\nconst items: Item[] = data.items\nreturn (await items.length) as number'
    assert.equal(await value(typed, { text }), 2)
    assert.equal(await value(typed, { text }), 2)
    assert.deepEqual(await compute('data.items.pop()', { text }), { kind: 'silent' })
    assert.equal(await value('return null'), null)
  })

  it('has the time and the chance of its step, and no other', async () => {
    const source = 'return [Date.now(), new Date(), new Date().getHours(), Math.random(), Math.random()]'
    const [now, date, hours, first, second] = (await value(source)) as number[]
    assert.deepEqual([now, date, hours], [AT, '2026-01-02T03:04:05.000Z', 3])
    assert.notEqual(first, second)
    assert.deepEqual((await value(source)) as number[], [now, date, hours, first, second])
    const [, , , other] = (await value(source, { seed: 'run-2/code-1' })) as number[]
    assert.notEqual(other, first)
  })

  it('keeps the digits of whole numbers that a double cannot hold', async () => {
    const text = '{"id":12345678901234567890,"price":1.10}'
    const source =
      'return { ...data, text: String(data.id), isPlain: data.price === 1.1, json: JSON.stringify(data.id) }'
    const answer = await pool.compute(step(source, { text }), NEVER)
    assert.equal(
      answer.result,
      '{"id":12345678901234567890,"price":1.1,"text":"12345678901234567890","isPlain":true,"json":"12345678901234567890"}'
    )
  })

  it('says where it is wrong, by its own lines', async () => {
    const faults: readonly [source: string, why: string, message: RegExp, place: readonly unknown[]][] = [
      ['\n  return data.a.b', 'error', /^TypeError: cannot read property/, [2, 10]],
      ['await null\nthrow new RangeError("too far")', 'error', /^RangeError: too far$/, [2, 11]],
      ['throw "words"', 'error', /^words$/, [undefined, undefined]],
      ['const a = 1\nconst b = = 2', 'syntax', /^Expression expected/, [2, 11]],
      ['const a = 1\nreturn [a', 'syntax', /^The code ends too early/, [2, 10]],
      ['throw { a: 1 }', 'error', /^It threw {"a":1}, which is no Error$/, [undefined, undefined]],
      ['const a: number = 1\nconst b = = 2', 'syntax', /^Expression expected/, [2, 11]],
      ['enum Colour { Red }', 'syntax', /enum is not supported\. .*an object in place/, [1, 1]],
      [`return ${'('.repeat(20_000)}`, 'error', /stack/, [undefined, undefined]]
    ]
    for (const [source, why, message, place] of faults) {
      const computed = await compute(source, { text: '{}' })
      assert.ok(computed.kind === 'failed', source)
      assert.equal(computed.why, why, source)
      assert.match(computed.message, message)
      assert.deepEqual([computed.line, computed.column], place, source)
    }
  })

  it('has no more time where it closes its function to run before it', async () => {
    const loop = await compute('})\nfor (;;);\n(async function (data) {', { timeoutMs: 50 })
    assert.equal(loop.kind === 'failed' && loop.why, 'timeout')
  })

  it('reads types again after code that is nested too deep for that', async () => {
    const deep = await compute(`const a: number = ${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    assert.equal(deep.kind, 'failed')
    assert.equal(await value('const one: number = 1\nreturn one'), 1)
  })

  it('gives back JSON, or is told what is none', async () => {
    const faults: readonly [source: string, message: string][] = [
      ['return () => 1', 'result is a function'],
      ['return { rows: [{ n: 1 }, { n: Symbol("x") }] }', 'result.rows[1].n is a symbol'],
      ['const a = {}; a.b = { c: a }; return a', 'result.b.c is an object that contains itself'],
      ['return { a: Promise.resolve(1) }', 'result.a is a Promise'],
      ['return new Map([[1, 2]])', 'result is a Map'],
      ['return { reason: new TypeError("no") }', 'result.reason is an Error']
    ]
    for (const [source, message] of faults)
      assert.deepEqual(await compute(source), { kind: 'failed', why: 'result', message })
    const getter = await compute('return { get a() { throw new Error("no") } }')
    assert.deepEqual(getter, { kind: 'failed', why: 'error', message: 'Error: no', line: 1, column: 30 })
    const long = await compute('return "x".repeat(2000)', { mostCharacters: 1000 })
    assert.equal(long.kind === 'failed' && long.why, 'size')
    assert.equal(await value('return new Date(0)'), '1970-01-01T00:00:00.000Z')
    assert.equal(await value('return JSON.stringify({ a: 1, f() {} })'), '{"a":1}')
    assert.equal(await value('return Object.assign(new Map(), { toJSON: () => 1 })'), 1)
  })

  it('hands out what it logged, up to a bound, also when it fails', async () => {
    const source =
      'console.log("a", { b: 1 }, [2n])\nconsole.error(new Error("c"))\nconsole.warn()\nfor (;;) {}'
    const answer = await pool.compute(step(source, { timeoutMs: 50 }), NEVER)
    assert.equal(answer.state, 'timeout')
    assert.deepEqual(readLogs(answer), [
      { level: 'log', text: 'a {"b":1} [2]' },
      { level: 'error', text: 'Error: c' },
      { level: 'warn', text: '' }
    ])
    const many = await pool.compute(step('for (let n = 0; n < 500; n++) console.log(n)'), NEVER)
    assert.equal(many.logs.length, 101)
    assert.deepEqual(many.logs.at(-1), { level: 'warn', text: 'Further lines were left out.' })
  })

  it('leaves nothing behind for the next step', async () => {
    const poison = `
      Object.prototype.poison = 1; Array.prototype.map = null; globalThis.left = 1
      JSON.stringify = () => "{}"; Math.random = () => 4; Date.now = () => 0; console.log = () => { throw 1 }
      Promise.prototype.then = null; Object.freeze(globalThis)
      return 1`
    await compute(poison)
    const look = `console.log("fine")
      return [{}.poison, typeof globalThis.left, [1].map((n) => n + 1), Date.now(), JSON.stringify([1]), await Promise.resolve(2)]`
    assert.deepEqual(await value(look), [null, 'undefined', [2], AT, '[1]', 2])
    const forged = 'Object.prototype.toJSON = () => ({ state: "returned", logs: 3 })\nreturn 1'
    assert.notEqual((await compute(forged)).kind, undefined)
    assert.equal(await value('return 1'), 1)
  })

  it('finds nothing of the outside', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'setTimeout',
      'performance',
      'WebAssembly',
      'Atomics'
    ]
    assert.deepEqual(await value(`return ${JSON.stringify(names)}.filter((name) => name in globalThis)`), [])
    for (const source of [
      'return constructor.constructor("return process")()',
      'return console.log.constructor("return process")()',
      'return import("node:fs")'
    ]) {
      const computed = await compute(source)
      assert.ok(computed.kind === 'failed' && computed.why === 'error', source)
    }
  })
})

describe('an expression in the sandbox', () => {
  const text = '{"id":12345678901234567890,"items":[{"price":3,"qty":2},{"price":10,"qty":1}]}'
  const jsonata = (source: string) => compute(source, { language: 'jsonata', text })

  it('is JSONata over the data, with the time and the chance of its step', async () => {
    const given: readonly [source: string, value: unknown][] = [
      ['$sum(items.(price * qty))', 16],
      ['items[price > 5]', { price: 10, qty: 1 }],
      ['$string(id)', '12345678901234567890'],
      ['$millis()', AT],
      ['$random() = $random()', false],
      ['items.$map([price], function($x){$x})', [3, 10]]
    ]
    for (const [source, value] of given)
      assert.deepEqual(await jsonata(source), { kind: 'returned', value }, source)
    assert.deepEqual(await jsonata('$random()'), await jsonata('$random()'))
    assert.deepEqual(await jsonata('nothing'), { kind: 'silent' })
  })

  it('says where it is wrong', async () => {
    const failed = { kind: 'failed', why: 'syntax', message: 'Expected ")", got "bar"' }
    assert.deepEqual(await jsonata('items.(\n  foo bar)'), { ...failed, line: 2, column: 7 })
    const message = 'The right side of the "+" operator must evaluate to a number'
    assert.deepEqual(await jsonata('1 + "a"'), { kind: 'failed', why: 'error', message, line: 1, column: 3 })
    const result = { kind: 'failed', why: 'result', message: 'result is a function' }
    assert.deepEqual(await jsonata('function($x){$x}'), result)
  })
})

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

describe('the threads of the sandbox', () => {
  it('are as many as cores besides that of the service, two at least and eight at most', () => {
    assert.deepEqual([1, 2, 3, 6, 64].map(sandboxSize), [2, 2, 2, 5, 8])
  })

  it('take a hundred steps at once, of which one ends its thread', async (t) => {
    const two = startPool(t, 2)
    const bad = compute('return new Array(3e7).join()', { timeoutMs: 30 }, two)
    const good = Array.from({ length: 100 }, (_, n) => value('return data + 1', { text: `${n}` }, two))
    assert.deepEqual(
      await Promise.all(good),
      Array.from({ length: 100 }, (_, n) => n + 1)
    )
    assert.equal((await bad).kind, 'failed')
    assert.ok(two.threads <= 2)
  })

  it('are shared by contexts in turn, and by the flows of each: many steps of one hold up another by one of them', async (t) => {
    const own = startPool(t, 1)
    const ended: string[] = []
    const names = ['/xa1', '/xa2', '/xa3', '/xb1', '/xb2', '/xc1', '/yd1', '/yd2', '/ze1']
    await Promise.all(
      names.map(async (name) => {
        await own.compute(step('return 1'), NEVER, { context: name.slice(0, 2), flow: name.slice(0, 3) })
        ended.push(name)
      })
    )
    assert.deepEqual(ended, ['/xa1', '/xa2', '/yd1', '/ze1', '/xb1', '/yd2', '/xc1', '/xa3', '/xb2'])
  })

  it('are never all given to steps of flows that took long', async (t) => {
    const { startTimer } = systemClock()
    const timers: (() => void)[] = []
    const own = startPool(t, 2, {
      startTimer: (ms, then) => {
        // Both begin at once, and nothing that rests is let go.
        if (ms === 10) return startTimer(0, then)
        if (ms === 1_000) timers.push(then)
        return { stop: () => {} }
      }
    })
    const [first, second] = [new AbortController(), new AbortController()]
    const started = (source: string, flow: string, signal = NEVER) =>
      own.compute(step(source), signal, { context: flow.slice(0, 2), flow })
    const long = started('for (;;) {}', '/a-1', first.signal)
    // A second passes.
    timers[0]!()
    const queued = ['/a-1', '/a-2'].map((flow) => started('for (;;) {}', flow, second.signal))
    assert.equal((await started('return 1', '/b-1')).result, '1')
    assert.equal((await started('return 2', '/b-1')).result, '2')
    assert.deepEqual([timers.length, own.threads], [3, 2], 'neither of those that are queued has begun')
    second.abort(new Error('second'))
    first.abort(new Error('first'))
    await Promise.all([long, ...queued].map((each) => assert.rejects(each, /first|second/)))
  })

  it('are not begun before the first step, and let go when none comes', async (t) => {
    const timers: { ms: number; then: () => void }[] = []
    const startTimer = (ms: number, then: () => void) => {
      const timer = { ms, then }
      timers.push(timer)
      return { stop: () => void timers.splice(timers.indexOf(timer), 1) }
    }
    const own = startPool(t, 2, { startTimer })
    assert.equal(own.threads, 0)
    await value('return 1', {}, own)
    assert.deepEqual([own.threads, timers.map(({ ms }) => ms)], [1, [30_000]])
    timers[0]!.then()
    assert.equal(own.threads, 0)
    assert.equal(await value('return 2', {}, own), 2)
  })

  it('drop what nobody waits for any more', async (t) => {
    const own = startPool(t, 1)
    await value('return 1', {}, own)
    const [first, second, third] = [0, 1, 2].map(() => new AbortController())
    const running = own.compute(step('for (;;) {}'), first!.signal)
    const queued = own.compute(step('return 1'), second!.signal)
    const last = own.compute(step('return 1'), third!.signal)
    second!.abort(new Error('second'))
    await assert.rejects(queued, /second/)
    first!.abort(new Error('first'))
    await assert.rejects(running, /first/)
    assert.equal((await last).result, '1')
    await assert.rejects(own.compute(step('return 1'), first!.signal), /first/)
  })

  it('have answered in time also where the service has no time to hear it', async (t) => {
    const held = new Int32Array(new SharedArrayBuffer(4))
    const { startTimer } = systemClock()
    const own = startPool(t, 1, {
      startTimer: (ms, then) => {
        if (ms !== 5_200) return startTimer(ms, then)
        // The service stands still until the step has long been done, and then looks at its timers first.
        Atomics.wait(held, 0, 0, 300)
        then()
        return { stop: () => {} }
      }
    })
    assert.equal(await value('return 1', { timeoutMs: 5_000 }, own), 1)
    assert.equal(own.threads, 1)
  })

  it('take no step along that had not begun', async (t) => {
    const clock = systemClock()
    let started = 0
    const startWorker = () => {
      const thread = new SandboxWorker(clock)
      started += 1
      if (started === 1) void thread.end()
      return thread
    }
    const own = new SandboxPool({ size: 1, clock, startWorker })
    t.after(() => own.close())
    assert.deepEqual(await Promise.all([value('return 1', {}, own), value('return 2', {}, own)]), [1, 2])
    assert.equal(started, 2)
    // One that ends every thread before it begins fails.
    const fatal = await compute('return 1', { memoryMb: 1n as never }, own)
    assert.equal(fatal.kind === 'failed' && fatal.why, 'crash')
    assert.equal(await value('return 3', {}, own), 3)
  })

  it('are closed in the middle of steps, which never settle', async () => {
    const own = new SandboxPool({ size: 1, clock: systemClock() })
    const settled: unknown[] = []
    for (const source of ['for (;;) {}', 'return 1'])
      own.compute(step(source), NEVER).then(
        (answer) => settled.push(answer),
        (error) => settled.push(error)
      )
    await own.close()
    assert.deepEqual([settled, own.threads], [[], 0])
  })
})
