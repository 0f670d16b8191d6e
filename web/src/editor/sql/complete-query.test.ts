import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completeQuery } from './complete-query.ts'

const TABLES = [
  {
    name: 'orders',
    columns: [
      { name: 'id', type: 'bigint' },
      { name: 'total', type: 'numeric' }
    ]
  },
  { name: 'crm.customers', columns: [{ name: 'email', type: 'text' }] }
]

/** The cursor stands at the |. */
function offered(marked: string): readonly string[] | undefined {
  const at = marked.indexOf('|')
  const query = marked.slice(0, at) + marked.slice(at + 1)
  return completeQuery(query, at, TABLES, ['customer'])?.options.map(({ label }) => label)
}

describe('completion of a query', () => {
  it('offers tables', () =>
    assert.deepEqual(offered('select * from or|'), ['id', 'total', 'orders', 'crm.customers'].slice(2)))

  it('offers columns of the tables that the query names', () =>
    assert.deepEqual(offered('select t| from orders'), ['id', 'total', 'orders', 'crm.customers']))

  it('offers the columns of a table behind its dot, by its name and by what the query calls it', () => {
    assert.deepEqual(offered('select orders.| from orders'), ['id', 'total'])
    assert.deepEqual(offered('select o.to| from orders as o'), ['id', 'total'])
    assert.deepEqual(offered('select c.| from crm.customers c'), ['email'])
    assert.equal(offered('select x.| from orders'), undefined)
  })

  it('offers parameters behind a colon, and none behind a cast', () => {
    assert.deepEqual(offered('select :|'), ['customer'])
    assert.deepEqual(offered('select :cu|'), ['customer'])
    assert.deepEqual(offered('select id::te| from orders'), ['id', 'total', 'orders', 'crm.customers'])
  })

  it('offers nothing where no word has begun', () => assert.equal(offered('select |'), undefined))
})
