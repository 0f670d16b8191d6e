import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { pino } from 'pino'
import { createRuntime, type Started } from '../src/runtime.ts'
import { readConfig } from '../src/startup/config.ts'
import { ApiClient } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { ROOT, stageEnvironment, temporaryFolder } from './support/stage.ts'

/** A start as an operator makes one, on a folder that others may have been made on before. */
async function start(
  t: TestContext,
  home: string,
  env: Record<string, string> = {}
): Promise<Started & { stop(): Promise<void> }> {
  const given = { PORT: '0', MILLRACE_HOME: home, ...(await stageEnvironment(home)), ...env }
  const runtime = await createRuntime({
    config: readConfig(given, () => ''),
    log: pino({ level: 'silent' }),
    version: '0.0.0-test',
    folder: ROOT
  })
  const started = await runtime.start()
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= runtime.stop())
  cleanUp(t, stop)
  return { ...started, stop }
}

async function busyPort(t: TestContext): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp(t, () => new Promise((done) => server.close(done)))
  return String((server.address() as AddressInfo).port)
}

describe('the first start that serves', () => {
  it('shows key and link, where one before found its port taken', async (t) => {
    const home = await temporaryFolder(t)
    const PORT = await busyPort(t)
    await assert.rejects(start(t, home, { PORT }), /cannot listen on 127\.0\.0\.1/)
    await assert.rejects(start(t, home, { PORT }), /cannot listen on 127\.0\.0\.1/)
    const first = await start(t, home)
    assert.equal(first.isFirstStart, true)
    const client = new ApiClient(t, first.address, first.generatedKey ?? assert.fail('no key'))
    assert.equal((await client.run('orders', '{"order_id":7,"customer":"Ann"}')).status, 'succeeded')
    const { keys } = (await client.get('/api/v1/keys')).json<{ keys: unknown[] }>()
    assert.equal(keys.length, 1, 'a start that did not serve left a key that nobody knows')
    const link = await client.get(`/sign-in?token=${first.signInToken}`, { key: null })
    assert.equal(link.headers.get('location'), '/')
    await first.stop()
    const second = await start(t, home)
    assert.deepEqual([second.isFirstStart, second.generatedKey, second.signInToken], [false, null, null])
  })

  it('shows the link for a key of the environment', async (t) => {
    const home = await temporaryFolder(t)
    const env = { MILLRACE_API_KEY: 'a key of the environment' }
    await assert.rejects(start(t, home, { ...env, PORT: await busyPort(t) }), /cannot listen/)
    const first = await start(t, home, env)
    assert.deepEqual([first.isFirstStart, first.generatedKey], [true, null])
    const client = new ApiClient(t, first.address, env.MILLRACE_API_KEY)
    assert.equal((await client.get(`/sign-in?token=${first.signInToken}`)).headers.get('location'), '/')
    assert.equal((await client.webhook('orders')).status, 202)
    await first.stop()
    assert.equal((await start(t, home, env)).isFirstStart, false)
  })
})
