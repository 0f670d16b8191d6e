import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import type { ApiClient, FlowBody } from './support/api-client.ts'
import { eventually } from './support/eventually.ts'
import { startService, temporaryFolder } from './support/service.ts'

const flow = (template: string) => `name: Orders
nodes:
  - { id: webhook-1, type: webhook }
  - { id: parser-1, type: parser, fields: { template: "${template}" } }
edges:
  - { from: webhook-1.data, to: parser-1.data }
`

async function templateOf(service: ApiClient, slug: string): Promise<unknown> {
  const answer = await service.get(`/api/v1/flows/${slug}`)
  return answer.status === 200
    ? answer.json<{ nodes: { fields: { template?: string } }[] }>().nodes[1]!.fields.template
    : answer.status
}

describe('a service that follows a folder', () => {
  it('has its flows, follows its changes, and lets nobody else change them', async (t) => {
    const [folder, home] = [await temporaryFolder(t), await temporaryFolder(t)]
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const start = (env = { MILLRACE_FLOWS: folder }) => startService(t, { home, env, log })
    await mkdir(join(folder, 'sales'))
    await writeFile(join(folder, 'sales', 'invoices.yaml'), flow('One {a}'))
    await writeFile(join(folder, 'sales', 'context.yaml'), 'variables: { region: eu }\n')

    const service = await start()
    const made = (await service.get('/api/v1/flows/invoices')).json<FlowBody & { from_file?: boolean }>()
    assert.deepEqual([made.context, made.version, made.from_file], ['/sales', 1, true])

    const refused = [
      await service.request('PUT', `/api/v1/flows/${made.id}`, { body: { ...made, name: 'Mine' } }),
      await service.request('PUT', `/api/v1/flows/${made.id}/draft`, { body: { ...made, revision: 0 } }),
      await service.request('POST', `/api/v1/flows/${made.id}/slug`, { body: { slug: 'other' } }),
      await service.request('DELETE', `/api/v1/flows/${made.id}`)
    ]
    for (const answer of refused)
      assert.deepEqual([answer.status, answer.json<{ code: string }>().code], [409, 'flow_from_file'])
    const pushed = await service.post('/api/v1/push', { flows: [{ ...made, name: 'Pushed' }] })
    assert.equal(pushed.json<{ errors: { code: string }[] }>().errors[0]!.code, 'flow_from_file')
    const paused = await service.post(`/api/v1/flows/${made.id}/pause`, { mode: 'hold' })
    assert.equal(paused.status, 200, paused.text)

    await writeFile(join(folder, 'sales', 'invoices.yaml'), flow('Two {a}'))
    await writeFile(join(folder, 'more.yaml'), flow('More {a}'))
    await eventually(() => templateOf(service, 'more'), 'More {a}')
    assert.equal(await templateOf(service, 'invoices'), 'Two {a}')

    await writeFile(join(folder, 'more.yaml'), 'name: a: b\n')
    await writeFile(join(folder, 'sales', 'invoices.yaml'), flow('Three {a}'))
    await eventually(() => lines.some((line) => line.includes('more.yaml:1:7')), true)
    assert.deepEqual(
      [await templateOf(service, 'invoices'), await templateOf(service, 'more')],
      ['Two {a}', 'More {a}']
    )
    await service.stop()

    // A start with a broken file goes on with what was there last.
    const again = await start()
    assert.deepEqual(
      [await templateOf(again, 'invoices'), await templateOf(again, 'more')],
      ['Two {a}', 'More {a}']
    )
    await again.stop()
    await rm(join(folder, 'more.yaml'))
    const mended = await start()
    await eventually(() => templateOf(mended, 'more'), 404)
    assert.equal(await templateOf(mended, 'invoices'), 'Three {a}')

    // What somebody brings back is of no file: it can be edited, and no change of the folder takes it away.
    const gone = (await mended.get('/api/v1/flows?deleted=true')).json<{ flows: FlowBody[] }>()
    const [{ id }] = gone.flows.filter(({ slug }) => slug === 'more') as [FlowBody]
    const back = (await mended.post(`/api/v1/flows/${id}/undelete`)).json<
      FlowBody & { from_file?: boolean }
    >()
    assert.equal(back.from_file, undefined)
    const edit = { body: { ...back, name: 'Brought back' } }
    assert.equal((await mended.request('PUT', `/api/v1/flows/${id}`, edit)).status, 200)
    await writeFile(join(folder, 'sales', 'invoices.yaml'), flow('Four {a}'))
    await eventually(() => templateOf(mended, 'invoices'), 'Four {a}')
    assert.equal(await templateOf(mended, 'more'), 'More {a}')
    await mended.stop()

    // Without the folder they are flows like any other.
    const alone = await startService(t, { home })
    const free = (await alone.get('/api/v1/flows/invoices')).json<FlowBody & { from_file?: boolean }>()
    assert.equal(free.from_file, undefined)
    assert.equal(
      (await alone.request('PUT', `/api/v1/flows/${free.id}`, { body: { ...free, name: 'Mine' } })).status,
      200
    )
  })

  it('says at the start that there is no such folder', async (t) => {
    await assert.rejects(
      startService(t, { env: { MILLRACE_FLOWS: join(await temporaryFolder(t), 'absent') } }),
      /MILLRACE_FLOWS names a folder/
    )
  })
})
