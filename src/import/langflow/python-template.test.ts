import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromPython, piecesOf } from './python-template.ts'

const written = (source: string) => [...piecesOf(source)].map(({ kind, text }) => `${kind} ${text}`)

describe('a template of Langflow', () => {
  it('has fields where braces belong together, and text everywhere else', () => {
    assert.deepEqual(written('a {b:{c}} {{d}} } {e'), ['text a ', 'field b:{c}', 'text  {d} } {e'])
    assert.deepEqual(written(`{a {b} {${'c'.repeat(3_000)}}`).at(1), 'field b')
    assert.deepEqual(written('{a{b}c'), ['text {a', 'field b', 'text c'])
  })

  it('is read in work that grows with it, whatever stays open', () => {
    const before = process.cpuUsage()
    assert.deepEqual(fromPython('{a'.repeat(250_000)).names, [])
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 2_000_000, `${(user + system) / 1_000} ms`)
  })
})
