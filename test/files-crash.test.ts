import assert from 'node:assert/strict'
import { request } from 'node:http'
import { it } from 'node:test'
import type { FileValue } from '../src/flows/file-value.ts'
import type { ApiClient, RunBody } from './support/api-client.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { eventually } from './support/eventually.ts'
import { bytesIn, paperFlow, upload } from './support/paper-flows.ts'
import { pluginPaths } from './support/stage.ts'

it('a file that was answered outlives kill -9, and nobody hears of one that was not', async (t) => {
  const options = { env: { MILLRACE_API_KEY: CHILD_KEY, MILLRACE_PLUGINS: pluginPaths(['paper.ts']) } }
  const service = await spawnService(t, options)
  const client = await service.client(CHILD_KEY)
  await client.createFlow(paperFlow('read-paper', { slug: 'reads' }))
  const [named, loose] = [await upload(client, 'named'), await upload(client, 'loose')]
  const run = await client.run('reads', named)
  const half = request(`${client.address}/api/v1/files`, {
    method: 'POST',
    headers: { 'x-api-key': CHILD_KEY, 'content-type': 'text/plain', 'content-length': 1_000_000 }
  })
  half.on('error', () => {})
  half.write(Buffer.alloc(400_000))
  await eventually(async () => (await bytesIn(service.home)).length, 3)
  await service.end('SIGKILL')

  const again = await spawnService(t, { ...options, home: service.home })
  const after = await again.client(CHILD_KEY)
  for (const [file, text] of [
    [named, 'named'],
    [loose, 'loose']
  ] as const)
    assert.equal((await after.get(`/api/v1/files/${file.file}`)).text, text)
  assert.deepEqual(outputOf(await after.readRun(run.id)), { text: 'named', file: named })
  assert.deepEqual(outputOf(await replay(after, run)), { text: 'named', file: named })
  await again.end('SIGTERM')
})

function outputOf(run: RunBody): { text: string; file: FileValue } {
  return run.steps.find(({ node }) => node === 'paper')?.outputs?.data as { text: string; file: FileValue }
}

async function replay(client: ApiClient, run: RunBody): Promise<RunBody> {
  const answer = await client.post(`/api/v1/runs/${run.id}/replay`)
  return client.waitForRun(answer.json<{ run_id: string }>().run_id)
}
