import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { RunBody } from './support/api-client.ts'
import { CHILD_KEY, type ChildService, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { callFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { pluginPaths, temporaryFolder } from './support/service.ts'

const READY = /^Millrace is ready at http:\/\/127\.0\.0\.1:\d+$/
const KEY = { MILLRACE_API_KEY: CHILD_KEY }
const WITH_CALL = { ...KEY, MILLRACE_PLUGINS: pluginPaths(['call.ts']) }

describe('the first start', { concurrency: 2 }, () => {
  it('prints a key, once, and commands that work as they are', async (t) => {
    const service = await spawnService(t)
    const address = await service.ready()
    const lines = service.stdout.trimEnd().split('\n')
    assert.match(lines.at(-1)!, READY)
    const [, key] = /^API key: (\S+)$/m.exec(service.stdout)!
    const [start, look, ...more] = lines.filter((line) => line.trim().startsWith('curl '))
    assert.deepEqual(more, [])
    const started = await shell(start!)
    assert.match(started, /^HTTP\/1\.1 202 /)
    const client = await service.client(key!)
    await client.waitForRun(JSON.parse(started.split('\r\n\r\n')[1]!).run_id)
    const { runs } = JSON.parse(await shell(look!)) as { runs: RunBody[] }
    assert.deepEqual(
      runs.map(({ status }) => status),
      ['succeeded']
    )
    assert.ok(!service.stderr.includes(key!), 'the key is in the log')
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    const again = await spawnService(t, { home: service.home })
    await again.ready()
    assert.match(again.stdout.trimEnd(), READY, 'a later start prints the ready line and nothing else')
    const later = await again.client(key!)
    assert.notEqual(later.address, '')
    assert.equal((await later.get('/api/v1/flows/orders')).status, 200, `the key of ${address} is still good`)
  })

  it('prints no key where the operator set one, and its commands use the variable', async (t) => {
    const service = await spawnService(t, { env: KEY })
    await service.ready()
    assert.ok(!(service.stdout + service.stderr).includes(CHILD_KEY))
    const start = service.stdout.split('\n').find((line) => line.trim().startsWith('curl '))!
    assert.match(await shell(start, KEY), /^HTTP\/1\.1 202 /)
  })

  it('takes the key from a file too', async (t) => {
    const file = join(await temporaryFolder(t), 'key')
    await writeFile(file, `${CHILD_KEY}\n`)
    const service = await spawnService(t, { env: { MILLRACE_API_KEY_FILE: file } })
    const client = await service.client(CHILD_KEY)
    assert.equal((await client.get('/api/v1/version')).status, 200)
  })

  it('is not the last one to show a key: where none is left, a new one is made and shown', async (t) => {
    const service = await spawnService(t, { env: KEY })
    const client = await service.client(CHILD_KEY)
    const { keys } = (await client.get('/api/v1/keys')).json<{ keys: { id: string }[] }>()
    for (const { id } of keys) await client.request('DELETE', `/api/v1/keys/${id}`)
    await service.end('SIGTERM')
    const again = await spawnService(t, { home: service.home })
    await again.ready()
    const [, key] = /^API key: (\S+)$/m.exec(again.stdout) ?? assert.fail(again.stdout)
    assert.equal((await (await again.client(key!)).get('/api/v1/flows')).status, 200)
  })
})

describe('logs', () => {
  it('are lines of JSON on stderr, and nothing but the ready line is on stdout', async (t) => {
    const first = await spawnService(t, { env: KEY })
    await first.ready()
    await first.end('SIGTERM')
    const service = await spawnService(t, { home: first.home, env: { ...KEY, LOG_LEVEL: 'trace' } })
    const client = await service.client(CHILD_KEY)
    await client.run('orders')
    await service.end('SIGTERM')
    assert.match(service.stdout.trimEnd(), READY)
    const lines = service.stderr.split('\n').filter((line) => line !== '')
    assert.ok(lines.length > 0)
    for (const line of lines) {
      const { level, time, msg } = JSON.parse(line)
      assert.deepEqual([typeof level, typeof time, typeof msg], ['number', 'number', 'string'], line)
    }
    assert.ok(!service.stderr.includes(CHILD_KEY))
  })
})

describe('a start that cannot be', { concurrency: 3 }, () => {
  // src/config.test.ts has all that a variable can hold; these show what becomes of it.
  const REFUSED: [title: string, env: Record<string, string>, says: RegExp][] = [
    ['an unknown variable', { MILLRACE_PROT: '1' }, /MILLRACE_PROT/],
    ['a bad value', { MILLRACE_BODY_LIMIT: 'lots' }, /MILLRACE_BODY_LIMIT.*lots/],
    [
      'a secret that cannot be read',
      { MILLRACE_API_KEY_FILE: '/nowhere' },
      /MILLRACE_API_KEY_FILE.*\/nowhere/
    ],
    ['an address of another machine', { HOST: '203.0.113.7' }, /203\.0\.113\.7/],
    ['a folder that cannot be', { MILLRACE_HOME: '/dev/null/home' }, /\/dev\/null\/home/],
    ['a plugin that is not there', { MILLRACE_PLUGINS: './absent.ts' }, /\.\/absent\.ts/]
  ]
  for (const [title, env, says] of REFUSED) {
    it(`for ${title} ends with one clear line`, async (t) => {
      await assertRefused(await spawnService(t, { env }), says)
    })
  }

  it('for a port that is taken ends with one clear line', async (t) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanUp(t, () => server.close())
    const PORT = String((server.address() as AddressInfo).port)
    await assertRefused(await spawnService(t, { env: { PORT } }), new RegExp(`PORT.*|${PORT}`))
  })

  it('for a folder that another process has ends with one clear line, and the other goes on', async (t) => {
    const first = await spawnService(t, { env: KEY })
    const client = await first.client(CHILD_KEY)
    await assertRefused(await spawnService(t, { home: first.home, env: KEY }), /in use/)
    assert.equal((await client.run('orders')).status, 'failed')
    await first.end('SIGKILL')
    const next = await spawnService(t, { home: first.home, env: KEY })
    await next.ready()
  })
})

describe('a stop', { concurrency: 3 }, () => {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    it(`by ${signal} exits 0`, async (t) => {
      const service = await spawnService(t, { env: KEY })
      await service.ready()
      assert.deepEqual(await service.end(signal), { code: 0, signal: null })
      assert.ok(!/"level":(?:50|60)/.test(service.stderr), service.stderr)
    })
  }

  it('lets a running step come to its end and keeps its result', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const flow = await client.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const running = await client.start(flow.slug, '1')
    const queued = await client.start(flow.slug, '2')
    const call = await outside.next()
    const ended = service.end('SIGTERM')
    await refusesConnections(client.address)
    call.answer({ kept: true })
    assert.deepEqual(await ended, { code: 0, signal: null })
    assert.equal(outside.calls.length, 1, 'no further run began')
    outside.answerAll(() => ({ body: { kept: false } }))
    const again = await spawnService(t, { home: service.home, env: WITH_CALL })
    const later = await again.client(CHILD_KEY)
    const [first, second] = [await later.waitForRun(running), await later.waitForRun(queued)]
    assert.deepEqual([first.status, second.status], ['succeeded', 'succeeded'])
    assert.deepEqual(first.steps[1]!.outputs, { data: { kept: true } })
    assert.deepEqual(
      outside.calls.map(({ body }) => body),
      ['1', '2'],
      'the step that ended is not run again'
    )
  })

  it('does not wait longer than 10 s for a step, which the next start repeats', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const flow = await client.createFlow(callFlow(outside.url()))
    const id = await client.start(flow.slug)
    const held = await outside.next()
    const since = performance.now()
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    assert.ok(performance.now() - since < 10_000, `it took ${performance.now() - since} ms`)
    outside.answerAll(() => ({}))
    const again = await spawnService(t, { home: service.home, env: WITH_CALL })
    const later = await again.client(CHILD_KEY)
    assert.equal((await later.waitForRun(id)).status, 'succeeded')
    const keys = outside.calls.map(({ headers }) => headers['idempotency-key'])
    assert.deepEqual(keys, [held.headers['idempotency-key'], held.headers['idempotency-key']])
  })

  it('is not held back by connections that say nothing, nor by those that are kept alive', async (t) => {
    const service = await spawnService(t, { env: KEY })
    const client = await service.client(CHILD_KEY)
    const { hostname, port } = new URL(client.address)
    const silent = connect(Number(port), hostname)
    await new Promise((resolve) => silent.once('connect', resolve))
    silent.on('error', () => {})
    await (await fetch(`${client.address}/livez`)).text()
    const since = performance.now()
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    assert.ok(performance.now() - since < 5_000, `it took ${performance.now() - since} ms`)
    silent.destroy()
  })

  it('answers callers that wait', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const flow = await client.createFlow(callFlow(outside.url()))
    const waiting = client.webhook(flow.slug, '{}', { headers: { prefer: 'wait=300' } })
    const call = await outside.next()
    const ended = service.end('SIGTERM')
    const answer = await waiting
    assert.equal(answer.status, 202)
    assert.equal(answer.json().status, 'in progress')
    call.answer()
    assert.deepEqual(await ended, { code: 0, signal: null })
  })
})

describe('a kill', () => {
  it('loses nothing that was accepted and repeats only the step that was in flight', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const document = callFlow(outside.url('/a'))
    const flow = await client.createFlow({
      ...document,
      nodes: [...document.nodes, { id: 'call-2', type: 'call', fields: { url: outside.url('/b') } }],
      edges: [...document.edges, { from: 'parser-1.parsed_text', to: 'call-2.data' }]
    })
    const id = await client.start(flow.slug, '{"n":12345678901234567890}')
    const first = await outside.next()
    assert.equal(first.path, '/a')
    first.answer({ a: 1 })
    const second = await outside.next()
    assert.equal(second.path, '/b')
    const more = await Promise.all([1, 2, 3, 4, 5].map((n) => client.start(flow.slug, String(n))))
    await service.end('SIGKILL')
    outside.answerAll(() => ({ body: { again: true } }))
    const again = await spawnService(t, { home: service.home, env: WITH_CALL })
    const later = await again.client(CHILD_KEY)
    for (const run of [id, ...more]) assert.equal((await later.waitForRun(run)).status, 'succeeded')
    const ofFirst = outside.calls.filter(({ headers }) => String(headers['idempotency-key']).startsWith(id))
    assert.deepEqual(
      ofFirst.map(({ path }) => path),
      ['/a', '/b', '/b']
    )
    const { text } = await later.get(`/api/v1/runs/${id}`)
    assert.ok(text.includes('"input":{"n":12345678901234567890}'), text)
  })

  it('leaves runs that are taken up before those that arrive at the next start', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const flow = await client.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const left: string[] = []
    for (const n of [1, 2, 3]) left.push(await client.start(flow.slug, String(n)))
    await outside.next()
    await service.end('SIGKILL')
    const again = await spawnService(t, { home: service.home, env: WITH_CALL })
    const later = await again.client(CHILD_KEY)
    const late = await later.start(flow.slug, '4')
    for (const n of [1, 2, 3, 4]) {
      const call = await outside.next()
      assert.equal(call.body, String(n))
      call.answer()
    }
    for (const id of [...left, late]) assert.equal((await later.waitForRun(id)).status, 'succeeded')
  })
})

async function assertRefused(service: ChildService, says: RegExp): Promise<void> {
  const { code } = await service.ended
  assert.equal(code, 1, `${service.stdout}${service.stderr}`)
  assert.equal(service.stdout, '')
  const lines = service.stderr.trimEnd().split('\n')
  assert.equal(lines.length, 1, `it says more than one line:\n${service.stderr}`)
  assert.match(lines[0]!, /^Millrace cannot start: \S/)
  assert.match(lines[0]!, says)
}

async function shell(command: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...env } })
  return stdout
}

/** Resolves when nobody listens there any more. */
async function refusesConnections(address: string): Promise<void> {
  const { hostname, port } = new URL(address)
  for (;;) {
    const isRefused = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.destroy()
        resolve(false)
      })
      socket.once('error', () => resolve(true))
    })
    if (isRefused) return
  }
}
