import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isOwnError, packagesFolder, placeOfMistake, shortPath } from './stack-lines.ts'

function withStack<E extends Error>(error: E, ...frames: string[]): E {
  error.stack = [`${error.name}: ${error.message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n')
  return error
}

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

describe('a file', () => {
  it('is written from the working directory where it lies below that', () => {
    assert.equal(shortPath(join(process.cwd(), 'plugins', 'a.ts')), join('plugins', 'a.ts'))
    assert.equal(shortPath('./plugins/a.ts'), join('plugins', 'a.ts'))
    assert.equal(shortPath(join(tmpdir(), 'a.ts')), join(tmpdir(), 'a.ts'))
  })
})

describe('the place of a mistake', () => {
  it('is the first line of others, or the one that could not be read', () => {
    const own = `check (${source('../../flows/component.ts')}:7:1)`
    const called = withStack(new TypeError('x'), own, 'sales (file:///plugins/sales.ts:3:11)')
    assert.equal(placeOfMistake(called), ' (at /plugins/sales.ts:3)')
    const unreadable = new SyntaxError('Unexpected token')
    unreadable.stack = '/plugins/sales.ts:2\nconst x: = 3\n\nSyntaxError: Unexpected token'
    assert.equal(placeOfMistake(unreadable), ' (at /plugins/sales.ts:2)')
  })

  it('is not told where nobody knows it, nor of what is thrown on purpose', () => {
    assert.equal(placeOfMistake(withStack(new TypeError('x'), 'node:internal/x:1:1')), '')
    assert.equal(placeOfMistake(withStack(new Error('x'), '/plugins/sales.ts:3:11')), '')
    for (const thrown of [null, 'text', { stack: '/plugins/sales.ts:3' }])
      assert.equal(placeOfMistake(thrown), '')
  })
})

describe('an error', () => {
  it('is Millrace\u2019s own where nobody else had a hand in it', () => {
    const plugin = 'run (file:///plugins/sales.ts:3:11)'
    const own = `invoke (${source('../../runs/run-executor.ts')}:7:1)`
    const brought = `end (${source('../../../node_modules/pg/lib/client.js')}:7:1)`
    const node = 'node:internal/timers:1:1'
    assert.ok(isOwnError(withStack(new Error('x'), node, own, brought)))
    assert.ok(isOwnError(withStack(new Error('x'), brought)))
    assert.ok(!isOwnError(withStack(new Error('x'), node, plugin, own)), 'a plugin that Millrace called')
    assert.ok(!isOwnError(withStack(new Error('x'), own, plugin)), 'Millrace, called by a plugin')
    assert.ok(!isOwnError(withStack(new Error('x'), 'get (/plugins/node_modules/pg/lib/client.js:7:1)', own)))
  })

  it('is not where no line tells, whatever was thrown', () => {
    const unreadable = new Proxy({}, { get: () => assert.fail('it cannot be read') })
    for (const thrown of [
      withStack(new TypeError('fetch failed')),
      undefined,
      'text',
      { stack: 5 },
      unreadable
    ]) {
      assert.ok(!isOwnError(thrown))
    }
  })
})

describe('the packages that Millrace brings', () => {
  it('are in a clone, or beside the package, in every layout', () => {
    const rows = [
      ['/clone/', '/clone/node_modules/'],
      ['/app/node_modules/millrace/', '/app/node_modules/'],
      ['/app/node_modules/.pnpm/millrace@1.0.0/node_modules/millrace/', '/app/node_modules/']
    ] as const
    for (const [own, packages] of rows) assert.equal(packagesFolder(own), packages)
  })
})
