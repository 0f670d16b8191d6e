import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAllowRule } from './allow-list.ts'

describe('an entry of MILLRACE_EGRESS_ALLOW', () => {
  const good: [entry: string, kind: string, place: string, port: number | null][] = [
    ['db.internal', 'host', 'db.internal', null],
    ['DB.Internal.:5432', 'host', 'db.internal', 5432],
    ['localhost', 'host', 'localhost', null],
    ['127.0.0.1:11434', 'range', '127.0.0.1/32', 11434],
    ['10.0.0.0/8', 'range', '10.0.0.0/8', null],
    ['10.0.0.0/8:5432', 'range', '10.0.0.0/8', 5432],
    ['fd00::/8', 'range', 'fd00::/8', null],
    ['::1', 'range', '::1/128', null],
    ['[::1]:5432', 'range', '::1/128', 5432],
    ['[fd00::/8]:443', 'range', 'fd00::/8', 443],
    ['::ffff:10.0.0.1', 'range', '10.0.0.1/32', null]
  ]
  for (const [entry, kind, place, port] of good) {
    it(`reads ${entry}`, () => {
      const rule = readAllowRule(entry)
      const read = rule.kind === 'host' ? rule.host : `${rule.range.base}/${rule.range.bits}`
      assert.deepEqual([rule.kind, read, rule.port], [kind, place, port])
    })
  }

  it('is one address or a network', () => {
    const isSingle = (entry: string) => {
      const rule = readAllowRule(entry)
      return rule.kind === 'range' && rule.range.isSingle
    }
    assert.deepEqual(['10.0.0.1', '10.0.0.1/32', '10.0.0.0/31', '::1', 'fe80::/10'].map(isSingle), [
      true,
      true,
      false,
      true,
      false
    ])
  })

  for (const bad of [
    '',
    '10.0.0.0/33',
    '127.1',
    '300.1.1.1',
    'a b',
    'http://a',
    'a:0',
    'a:70000',
    'a:x',
    '*'
  ]) {
    it(`refuses ${JSON.stringify(bad)} with the remedy`, () => {
      assert.throws(() => readAllowRule(bad), /Write them like db\.internal|has no port from 1 to 65535/)
    })
  }
})
