import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readLogs } from './read-answer.ts'
import { AT, NEVER, poolOfFile, step } from './sandbox-pool.test-kit.ts'

const { pool, compute, value } = poolOfFile()

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

  it('gives back JSON, or is told what is not JSON', async () => {
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
