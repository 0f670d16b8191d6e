import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Connection } from './connection.ts'
import { seenFrom } from './seen-connections.ts'

function named(name: string, context: string): Pick<Connection, 'name' | 'kind' | 'context'> {
  return { name, kind: 'http', context }
}

it('a context sees the nearest connection of each name, and what that one hides', () => {
  const all = [
    named('shop', '/'),
    named('bank', '/'),
    named('shop', '/sales/eu'),
    named('shop', '/sales'),
    named('desk', '/sales/eu/west'),
    named('till', '/support')
  ]
  const seen = (context: string) =>
    seenFrom(context, all).map(({ connection, hides }) =>
      [connection.name, connection.context, ...hides.map((hidden) => hidden.context)].join(' ')
    )
  assert.deepEqual(seen('/sales/eu'), ['bank /', 'shop /sales/eu /sales /'])
  assert.deepEqual(seen('/sales'), ['bank /', 'shop /sales /'])
  assert.deepEqual(seen('/'), ['bank /', 'shop /'])
  assert.deepEqual(seen('/support'), ['bank /', 'shop /', 'till /support'])
})
