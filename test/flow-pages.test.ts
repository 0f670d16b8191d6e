import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, type FlowBody, problemOf } from './support/api-client.ts'
import { anythingFlow, ordersFlow } from './support/documents.ts'
import { startService } from './support/service.ts'

interface Page {
  readonly flows: readonly FlowBody[]
  readonly next_cursor: string | null
}

async function readPage(client: ApiClient, query: string, key = client.key): Promise<Page> {
  const answer = await client.get(`/api/v1/flows?${query}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Page>()
}

/** The slugs of each page; `between` happens after each. */
async function readPages(client: ApiClient, query: string, between = async () => {}): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await readPage(client, `${query}&cursor=${cursor}`)
    pages.push(page.flows.map(({ slug }) => slug))
    cursor = page.next_cursor
    await between()
  }
  return pages
}

describe('the list of flows', () => {
  it('is all of them in one answer where nobody asks for less', async (t) => {
    const service = await startService(t)
    for (const name of ['A', 'B']) await service.createFlow(ordersFlow({ name }))
    const { flows, next_cursor } = await readPage(service, '')
    assert.deepEqual([flows.map(({ slug }) => slug), next_cursor], [['orders', 'a', 'b'], null])
  })

  it('comes in pages by age, whatever is saved, made and deleted meanwhile', async (t) => {
    const service = await startService(t)
    const made: FlowBody[] = []
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F'])
      made.push(await service.createFlow(ordersFlow({ name })))
    assert.deepEqual(await readPages(service, 'limit=3'), [['orders', 'a', 'b'], ['c', 'd', 'e'], ['f']])
    assert.deepEqual(await readPages(service, 'limit=7'), [['orders', 'a', 'b', 'c', 'd', 'e', 'f']])
    let flow = made[0]!
    const save = async () => {
      flow = await service.saveFlow(flow, { name: `${flow.name}!` })
    }
    assert.deepEqual((await readPages(service, 'limit=3', save)).flat(), [
      'orders',
      'a',
      'b',
      'c',
      'd',
      'e',
      'f'
    ])
    // The one that the cursor names may be gone when it is sent.
    const { next_cursor } = await readPage(service, 'limit=3')
    assert.equal(next_cursor, made[1]!.id)
    await service.request('DELETE', `/api/v1/flows/${made[1]!.id}`)
    const { flows } = await readPage(service, `limit=3&cursor=${next_cursor}`)
    assert.deepEqual(
      flows.map(({ slug }) => slug),
      ['c', 'd', 'e']
    )
    assert.equal((await service.post(`/api/v1/flows/${made[1]!.id}/undelete`)).status, 200)
    assert.deepEqual((await readPages(service, 'limit=2')).flat(), ['orders', 'a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('has shorter pages where flows are large, and never an empty one', async (t) => {
    const service = await startService(t)
    const template = 'x'.repeat(400_000)
    for (const name of ['A', 'B', 'C']) {
      const flow = anythingFlow()
      const nodes = flow.nodes.map((node) =>
        node.type === 'parser' ? { ...node, fields: { template } } : node
      )
      await service.createFlow({ ...flow, name, slug: name.toLowerCase(), nodes })
    }
    assert.deepEqual(await readPages(service, ''), [['orders', 'a', 'b'], ['c']])
  })

  it('has what the key sees, page by page, with the runs of each flow', async (t) => {
    const service = await startService(t)
    const [, mine] = [
      await service.createFlow(ordersFlow({ name: 'A' })),
      await service.createFlow(ordersFlow({ name: 'B' }))
    ]
    const { id } = await service.run(mine.slug)
    const { key } = await service.createKey({ rights: ['read'], flow: mine.id })
    const { flows, next_cursor } = await readPage(service, 'limit=1&recent=5', key)
    assert.equal(next_cursor, null)
    const [flow] = flows as (FlowBody & { recent_runs: { id: string }[] })[]
    assert.deepEqual([flow!.slug, flow!.recent_runs.map((run) => run.id)], ['b', [id]])
  })

  it('refuses a cursor that it never gave, and a limit out of range', async (t) => {
    const service = await startService(t)
    for (const query of ['cursor=7', 'cursor=abc', 'limit=0', 'limit=1001']) {
      problemOf(await service.get(`/api/v1/flows?${query}`), 422, 'invalid_request')
    }
  })
})
