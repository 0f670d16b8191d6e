import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { allOperations } from './support/routes.ts'
import { type Service, startService } from './support/service.ts'

describe('health', () => {
  it('is told by /livez and /readyz, without a key', async (t) => {
    const service = await startService(t)
    for (const path of ['/livez', '/readyz']) {
      for (const key of [null, 'wrong', service.key]) {
        const answer = await service.get(path, { key })
        assert.equal(answer.status, 200, path)
        assert.equal(answer.json().status, 'ok')
      }
      assert.equal((await service.request('HEAD', path, { key: null })).status, 200)
    }
  })
})

describe('readiness', () => {
  it('costs no more than a write a second, however often anybody asks', async (t) => {
    const service = await startService(t)
    const commits = async () => (await metrics(service)).get('millrace_commit_batch_size_count')!
    const before = await commits()
    const since = performance.now()
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => service.get('/readyz', { key: null }))
      )
      for (const { status } of answers) assert.equal(status, 200)
    }
    const seconds = (performance.now() - since) / 1_000
    const writes = (await commits()) - before
    // Something else may be written meanwhile, such as when a key was used last.
    assert.ok(writes <= seconds + 5, `${writes} writes in ${seconds} s`)
  })
})

describe('metrics', () => {
  it('count finished runs by status, the backlog, accepts and commits', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const before = await metrics(service)
    for (const status of ['succeeded', 'failed', 'cancelled']) {
      assert.equal(before.get(`millrace_runs_total{status="${status}"}`), 0, 'a rate needs a first value')
    }
    const orders = await service.createFlow(ordersFlow())
    const calls = await service.createFlow(callFlow(outside.url()))
    for (let n = 0; n < 3; n++) await service.run(orders.slug, JSON.stringify(ORDER))
    for (let n = 0; n < 2; n++) await service.run(orders.slug)
    const cancelled = await service.start(calls.slug)
    await outside.next()
    await service.post(`/api/v1/runs/${cancelled}/cancel`)
    const running = await service.start(calls.slug)
    const call = await outside.next()
    const during = await metrics(service)
    assert.equal(during.get('millrace_runs_total{status="succeeded"}'), 3)
    assert.equal(during.get('millrace_runs_total{status="failed"}'), 2)
    assert.equal(during.get('millrace_runs_total{status="cancelled"}'), 1)
    assert.equal(during.get('millrace_backlog_runs'), 1)
    assert.equal(during.get('millrace_accept_seconds_count'), 7)
    assert.ok(during.get('millrace_accept_seconds_sum')! > 0)
    assert.equal(during.get('millrace_accept_seconds_bucket{le="+Inf"}'), 7)
    const commits = during.get('millrace_commit_batch_size_count')!
    assert.ok(commits >= 7, `${commits} commits`)
    assert.ok(during.get('millrace_commit_batch_size_sum')! >= commits, 'no commit is empty')
    call.answer()
    await service.waitForRun(running)
    const after = await metrics(service)
    assert.equal(after.get('millrace_backlog_runs'), 0)
    assert.equal(after.get('millrace_runs_total{status="succeeded"}'), 4)
  })

  it('know the backlog that an earlier process left', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    await service.start(flow.slug)
    const id = await service.start(flow.slug)
    const first = await outside.next()
    const stopped = service.stop()
    first.answer()
    await stopped
    const again = await startService(t, { home: service.home, plugins: ['call.ts'] })
    // One at a time: when the second one calls, the first one has ended.
    await outside.next()
    assert.equal((await metrics(again)).get('millrace_backlog_runs'), 1)
    assert.equal((await again.post(`/api/v1/runs/${id}/cancel`)).status, 200)
    assert.equal((await metrics(again)).get('millrace_backlog_runs'), 0)
  })

  it('are text that Prometheus reads', async (t) => {
    const service = await startService(t)
    const answer = await service.get('/metrics')
    assert.match(answer.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
    for (const [name, type] of [
      ['millrace_runs_total', 'counter'],
      ['millrace_backlog_runs', 'gauge'],
      ['millrace_accept_seconds', 'histogram'],
      ['millrace_commit_batch_size', 'histogram']
    ] as const) {
      assert.ok(answer.text.includes(`# TYPE ${name} ${type}\n`), name)
      assert.ok(answer.text.includes(`# HELP ${name} `), name)
    }
  })
})

describe('the version', () => {
  it('is told with the kind of store', async (t) => {
    const service = await startService(t)
    const { name, version, store } = (await service.get('/api/v1/version')).json()
    assert.deepEqual({ name, version, store }, { name: 'millrace', version: '0.0.0-test', store: 'embedded' })
  })
})

describe('the description of the API', () => {
  it('is OpenAPI 3.1, and every operation has a summary and responses', async (t) => {
    const service = await startService(t)
    const { openapi, info, paths, components } = (await service.get('/api/v1/openapi.json')).json<{
      openapi: string
      info: { title: string; version: string }
      paths: Record<string, object>
      components: { securitySchemes: Record<string, Record<string, string>> }
    }>()
    assert.match(openapi, /^3\.1\.\d+$/)
    assert.ok(info.title !== '' && info.version !== '')
    for (const path of Object.keys(paths)) assert.match(path, /^\//)
    const { type, in: place, name } = Object.values(components.securitySchemes)[0]!
    assert.deepEqual({ type, place, name }, { type: 'apiKey', place: 'header', name: 'x-api-key' })
    const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE']
    for (const { method, path, description } of await allOperations(service)) {
      const where = `${method} ${path}`
      assert.ok(METHODS.includes(method), where)
      assert.ok((description.summary ?? '') !== '', `${where} has no summary`)
      const statuses = Object.keys(description.responses ?? {})
      assert.ok(statuses.length > 0, `${where} has no responses`)
      for (const status of statuses) assert.match(status, /^(?:[1-5]\d\d|[1-5]XX|default)$/, where)
      for (const response of Object.values(description.responses!)) {
        assert.equal(typeof (response as { description: unknown }).description, 'string', where)
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const declared = (description.parameters ?? []).filter((parameter) => parameter.in === 'path')
      assert.deepEqual(declared.map((parameter) => parameter.name).sort(), inPath.sort(), where)
      for (const parameter of declared) assert.equal(parameter.required, true, where)
    }
  })

  it('refers to nothing that is not in it', async (t) => {
    const service = await startService(t)
    const document = (await service.get('/api/v1/openapi.json')).json()
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"(.*?)"/g)].map(([, ref]) => ref!)
    for (const reference of references) {
      assert.match(reference, /^#\//)
      let target: unknown = document
      for (const name of reference.slice(2).split('/')) target = (target as Record<string, unknown>)?.[name]
      assert.ok(target !== undefined, reference)
    }
  })

  it('says what every operation that takes a body takes', async (t) => {
    const service = await startService(t)
    const without = (await allOperations(service))
      .filter(
        ({ method, description }) =>
          /^P(?:OST|UT|ATCH)$/.test(method) && description.requestBody === undefined
      )
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
    assert.deepEqual(without.toSorted(), [
      'address',
      'cancel',
      'check',
      'restore',
      'resume',
      'sign-in',
      'test',
      'undelete',
      'undelete'
    ])
  })

  it('says which operations need no key', async (t) => {
    const service = await startService(t)
    const operations = await allOperations(service)
    const isOpen = (path: string) =>
      operations.find((operation) => operation.path === path)!.description.security?.length === 0
    assert.deepEqual(['/livez', '/readyz', '/metrics', '/api/v1/flows'].map(isOpen), [
      true,
      true,
      false,
      false
    ])
  })

  it('says what every operation answers when it refuses', async (t) => {
    const service = await startService(t)
    for (const { method, path, description } of await allOperations(service)) {
      if (path === '/livez') continue
      const types = Object.values(description.responses!).flatMap((response) =>
        Object.keys((response as { content?: object }).content ?? {})
      )
      assert.ok(types.includes('application/problem+json'), `${method} ${path}: ${types.join(', ')}`)
    }
  })
})

async function metrics(service: Service): Promise<Map<string, number>> {
  const answer = await service.get('/metrics')
  assert.equal(answer.status, 200, answer.text)
  const lines = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))])
  )
}
