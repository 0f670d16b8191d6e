import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { deadlyFlow } from './support/documents.ts'
import { pluginPaths } from './support/stage.ts'

const env = {
  MILLRACE_PLUGINS: pluginPaths(['deadly.ts']),
  MILLRACE_API_KEY: CHILD_KEY,
  MILLRACE_HANG_LIMIT: '1'
}

describe('a step that never gives the thread back', () => {
  it('does not keep the process from being stopped, and is found at the second death', async (t) => {
    const first = await spawnService(t, { env })
    const client = await first.client(CHILD_KEY)
    const flow = await client.createFlow(deadlyFlow())
    const near = await client.start(flow.slug, '{"n":1}')
    const looping = await client.start(flow.slug, '{"loop":true}')
    await first.printed('stderr', /a step loops/)
    const since = performance.now()
    assert.deepEqual(await first.end('SIGTERM'), { code: null, signal: 'SIGKILL' })
    assert.ok(performance.now() - since < 10_000, `it took ${performance.now() - since} ms`)
    const line = JSON.parse(/^.*"level":60.*$/m.exec(first.stderr)![0])
    assert.deepEqual([line.run_id, line.node], [looping, 'deadly-1'])

    const second = await spawnService(t, { env, home: first.home })
    assert.equal((await second.ended).signal, 'SIGKILL')

    const third = await spawnService(t, { env, home: first.home })
    const alive = await third.client(CHILD_KEY)
    const { status, error } = await alive.waitForRun(looping)
    assert.deepEqual([status, error!.code, error!.node], ['failed', 'step_blocks_process', 'deadly-1'])
    assert.match(error!.message, /the process had to be ended, 2 times, so it is not tried again/)
    assert.equal((await alive.waitForRun(near)).status, 'succeeded')

    // Somebody has made it faster, or wants to see it happen again.
    assert.equal((await alive.post(`/api/v1/runs/${looping}/retry`)).status, 202)
    await third.printed('stderr', /a step loops/)
    assert.equal((await third.ended).signal, 'SIGKILL')
  })
})

describe('a node that never gives the thread back, whatever run begins it', () => {
  it('costs no process for each request, until there is a new version', async (t) => {
    const first = await spawnService(t, { env })
    const client = await first.client(CHILD_KEY)
    const flow = await client.createFlow(deadlyFlow())
    // All of them are accepted before the first of them begins.
    await client.post(`/api/v1/flows/${flow.id}/pause`, { mode: 'hold' })
    const looping = await Promise.all([1, 2, 3, 4, 5].map(() => client.start(flow.slug, '{"loop":true}')))
    client.post(`/api/v1/flows/${flow.id}/resume`).catch(() => {})
    assert.equal((await first.ended).signal, 'SIGKILL')

    const second = await spawnService(t, { env, home: first.home })
    assert.equal((await second.ended).signal, 'SIGKILL')

    // What was put aside may have been tried before another run died.
    let last = await spawnService(t, { env, home: first.home })
    let alive = await last.client(CHILD_KEY)
    const ended = await Promise.race([last.ended, alive.waitForRun(looping[0]!)]).catch(() => undefined)
    if (ended === undefined || 'signal' in ended) {
      last = await spawnService(t, { env, home: first.home })
      alive = await last.client(CHILD_KEY)
    }
    looping.push(await alive.start(flow.slug, '{"loop":true}'))
    for (const id of looping) {
      const { status, error } = await alive.waitForRun(id)
      assert.deepEqual([status, error!.code, error!.node], ['failed', 'step_blocks_process', 'deadly-1'])
      assert.match(error!.message, /the process had to be ended, 2 times, so it is not tried again/)
    }

    const { status } = await alive.request('PUT', `/api/v1/flows/${flow.id}`, {
      body: { ...deadlyFlow(), version: flow.version }
    })
    assert.equal(status, 200)
    const mended = await alive.waitForRun(await alive.start(flow.slug, '{"n":1}'))
    assert.equal(mended.status, 'succeeded')
    assert.equal(last.child.exitCode, null)
  })
})

describe('a service without plugins', () => {
  it('is watched too, and ended when it does not answer any more', async (t) => {
    // Holds the thread as no component of ours does any more.
    const hold = "process.on('SIGUSR2', () => { for (;;); })"
    const service = await spawnService(t, {
      env: {
        MILLRACE_API_KEY: CHILD_KEY,
        MILLRACE_HANG_LIMIT: '1',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hold)}`
      }
    })
    await service.client(CHILD_KEY)
    service.child.kill('SIGUSR2')
    assert.equal((await service.ended).signal, 'SIGKILL')
    await service.printed('stderr', /"level":60,.*did not answer any more, so its process is ended/)
  })
})
