import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Api } from './client.ts'
import { readAllFlows } from './read-all-flows.ts'

it('flows are read page by page, to the last one', async () => {
  const pages = new Map([
    [null, { flows: ['a', 'b'], next_cursor: 'b' }],
    ['b', { flows: [], next_cursor: 'c' }],
    ['c', { flows: ['d'], next_cursor: null }]
  ])
  const get = (async (_path: string, query: { cursor: string | null }) =>
    pages.get(query.cursor)) as Api['get']
  assert.deepEqual(await readAllFlows({ get }, new AbortController().signal), ['a', 'b', 'd'])
})
