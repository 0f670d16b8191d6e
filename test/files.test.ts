import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { contentDigestOf } from '../src/files/content-digest.test-kit.ts'
import type { FileValue } from '../src/flows/file-value.ts'
import { type ApiClient, Chunks, problemOf, type RunBody } from './support/api-client.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { bytesIn, paperFlow, upload } from './support/paper-flows.ts'
import { type Service, startService } from './support/service.ts'

const outputOf = (run: RunBody) => run.steps.find(({ node }) => node === 'paper')?.outputs?.data
const read = (service: ApiClient, { file }: FileValue, key?: string) =>
  service.get(`/api/v1/files/${file}`, key === undefined ? {} : { key })

const lifetime = lifetimeOfFile()

describe('files', () => {
  let service: Service

  before(async () => {
    service = await startService(lifetime, { plugins: ['paper.ts'] })
    for (const name of ['sales', 'support'])
      assert.equal((await service.post('/api/v1/contexts', { name })).status, 201)
    await service.createFlow(paperFlow('read-paper', { slug: 'reads' }))
    await service.createFlow(paperFlow('read-paper', { slug: 'reads-sales', context: '/sales' }))
    await service.createFlow(
      paperFlow('read-paper', { slug: 'reads-anybody', context: '/sales' }, { auth: 'None' })
    )
  })

  it('are uploaded with their type and name, and downloaded as nothing that a browser runs', async () => {
    const html = '<script>alert(1)</script>'
    const file = await upload(service, html, {
      query: `?filename=${encodeURIComponent('../Ä "x".html')}`,
      headers: { 'content-type': 'text/html; charset=utf-8' }
    })
    assert.deepEqual(file, {
      file: file.file,
      filename: 'Ä "x".html',
      content_type: 'text/html; charset=utf-8',
      size: html.length
    })
    const answer = await read(service, file)
    assert.deepEqual([answer.status, answer.text], [200, html])
    const headers = Object.fromEntries(answer.headers)
    assert.equal(headers['content-type'], 'application/octet-stream')
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="A _x_.html"; filename*=UTF-8''%C3%84%20%22x%22.html`
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(headers['content-security-policy']!, /^sandbox/)
    assert.equal(headers['content-length'], String(html.length))
    const head = await service.request('HEAD', `/api/v1/files/${file.file}`)
    assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '25'])
  })

  it('are read in parts', async () => {
    const file = await upload(service, '0123456789', { headers: { 'content-type': 'text/plain' } })
    const part = (headers: Record<string, string>) => service.get(`/api/v1/files/${file.file}`, { headers })
    const some = await part({ range: 'bytes=2-4' })
    assert.deepEqual(
      [some.status, some.text, some.headers.get('content-range')],
      [206, '234', 'bytes 2-4/10']
    )
    assert.equal((await part({ range: 'bytes=-3' })).text, '789')
    const beyond = await part({ range: 'bytes=10-' })
    problemOf(beyond, 416, 'range_not_satisfiable')
    assert.equal(beyond.headers.get('content-range'), 'bytes */10')
    const etag = some.headers.get('etag')!
    assert.equal(etag, `"${contentDigestOf(Buffer.from('0123456789'))}"`)
    assert.deepEqual([(await part({ 'if-none-match': etag })).status], [304])
    assert.equal((await part({ range: 'bytes=0-0', 'if-range': etag })).text, '0')
    assert.equal((await part({ range: 'bytes=0-0', 'if-range': '"another"' })).text, '0123456789')
  })

  it('of any size come as they are sent, up to the limit, and nothing is left of larger ones', async () => {
    const lying = await bytesIn(service.home)
    const bytes = randomBytes(3_000_000)
    const file = await upload(service, bytes)
    const stored = contentDigestOf(bytes)
    assert.equal((await read(service, file)).headers.get('etag'), `"${stored}"`)
    assert.equal((await upload(service, '')).size, 0)
    const parts = Array.from({ length: 26 }, () => randomBytes(1024 * 1024))
    problemOf(
      await service.request('POST', '/api/v1/files', { body: Buffer.concat(parts) }),
      413,
      'file_too_large'
    )
    const chunked = await service.request('POST', '/api/v1/files', { body: new Chunks(...parts) })
    problemOf(chunked, 413, 'file_too_large')
    assert.equal((await bytesIn(service.home)).length, lying.length + 2)
  })

  it('of the same content are stored once', async () => {
    const lying = (await bytesIn(service.home)).length
    const text = randomBytes(20).toString('hex')
    const files = await Promise.all(Array.from({ length: 8 }, () => upload(service, text)))
    assert.equal(new Set(files.map(({ file }) => file)).size, 8)
    assert.equal((await bytesIn(service.home)).length, lying + 1)
    for (const file of files) assert.equal((await read(service, file)).text, text)
  })

  it('belong to a context: neighbours learn nothing of them, also not that they are there', async () => {
    const sales = await service.createKey({ context: '/sales', rights: ['trigger', 'read'] })
    const support = await service.createKey({ context: '/support', rights: ['trigger', 'read'] })
    const blind = await service.createKey({ context: '/sales', rights: ['trigger'] })
    const file = await upload(service, 'an offer', { key: sales.key })
    assert.equal((await read(service, file, sales.key)).text, 'an offer')
    const forbidden = await read(service, file, support.key)
    const unknown = await read(service, { ...file, file: `file_${'A'.repeat(22)}` }, support.key)
    assert.deepEqual(problemOf(forbidden, 404, 'file_not_found'), problemOf(unknown, 404, 'file_not_found'))
    problemOf(await read(service, file, blind.key), 403, 'forbidden')
    const elsewhere = await service.post('/api/v1/files?context=/support', undefined, { key: sales.key })
    problemOf(elsewhere, 404, 'context_not_found')
    assert.equal((await upload(service, 'x', { key: service.key, query: '?context=/support' })).size, 1)
  })

  it('in a payload are files where the key may read them, and text where it may not', async () => {
    const sales = await service.createKey({ context: '/sales', rights: ['trigger', 'read'] })
    const blind = await service.createKey({ context: '/sales', rights: ['trigger'] })
    const [own, foreign] = [
      await upload(service, 'ours', { key: blind.key }),
      await upload(service, 'theirs', { query: '?context=/support' })
    ]
    const seen = await service.run('reads-sales', own, { key: blind.key })
    assert.equal(seen.status, 'succeeded', JSON.stringify(seen.error))
    assert.deepEqual(outputOf(seen), { text: 'ours', file: own })
    assert.deepEqual(seen.input, own)
    const plain = await service.run('reads-sales', foreign, { key: sales.key })
    assert.equal(plain.error?.code, 'file_not_found')
    assert.deepEqual(plain.input, foreign)
    const named = await service.run('reads-sales', foreign)
    assert.deepEqual(outputOf(named), { text: 'theirs', file: foreign })
    assert.equal((await read(service, foreign, sales.key)).text, 'theirs', 'a run that it may read names it')
    const byApi = await service.post('/api/v1/run/reads-sales', { input: own }, { key: sales.key })
    assert.equal(byApi.json<RunBody>().status, 'succeeded')
  })

  it('are not opened by who sends an id without a key, however it is written', async () => {
    const file = await upload(service, 'ours', { query: '?context=/sales' })
    for (const body of [
      JSON.stringify(file),
      JSON.stringify(file).replace('file_', '\\u0066ile_'),
      JSON.stringify({ ...file, more: file })
    ]) {
      const run = await service.run('reads-anybody', body, { key: null })
      assert.equal(run.error?.code, 'file_not_found', body)
      const again = await service.post(`/api/v1/runs/${run.id}/replay`)
      const replayed = await service.waitForRun(again.json<{ run_id: string }>().run_id)
      assert.equal(replayed.error?.code, 'file_not_found', 'nor by who starts that again')
    }
  })

  it('are opened by who sends an id with a key that may read them, where none is asked for', async () => {
    const file = await upload(service, 'ours', { query: '?context=/sales' })
    const support = await service.createKey({ context: '/support', rights: ['trigger', 'read'] })
    const body = JSON.stringify(file)
    const waiting = (key: string) => service.run('reads-anybody', body, { key })
    const going = async (key: string) =>
      service.waitForRun(await service.start('reads-anybody', body, { key }))
    for (const sent of [waiting, going]) {
      assert.deepEqual(outputOf(await sent(service.key)), { text: 'ours', file })
      for (const key of [support.key, 'mr_wrong'])
        assert.equal((await sent(key)).error?.code, 'file_not_found', key)
    }
  })

  it('go on being there for a replay, for an edited one, and for a test', async () => {
    const [file, other] = [await upload(service, 'first'), await upload(service, 'second')]
    const run = await service.run('reads', file)
    const replay = async (body?: unknown) => {
      const answer = await service.post(`/api/v1/runs/${run.id}/replay`, body)
      return service.waitForRun(answer.json<{ run_id: string }>().run_id)
    }
    assert.deepEqual(outputOf(await replay()), { text: 'first', file })
    assert.deepEqual(outputOf(await replay({ input: other })), { text: 'second', file: other })
    const test = await service.post('/api/v1/flows/reads/test', { run_id: run.id })
    assert.equal(test.json<RunBody>().status, 'succeeded', test.text)
    const tried = await service.post('/api/v1/flows/reads/nodes/paper/run', { inputs: { data: other } })
    assert.deepEqual(tried.json<{ outputs: unknown }>().outputs, { data: { text: 'second', file: other } })
  })

  it('that a step makes are its run\u2019s, and nothing is left of those of a step that fails', async () => {
    await service.createFlow(paperFlow('write-paper', { slug: 'writes', context: '/sales' }))
    await service.createFlow(paperFlow('tear-paper', { slug: 'tears' }))
    const run = await service.run('writes', '"a letter"')
    const file = outputOf(run) as FileValue
    assert.deepEqual(file, { file: file.file, filename: 'paper.txt', content_type: 'text/plain', size: 8 })
    assert.equal((await read(service, file)).text, 'a letter')
    const lying = await bytesIn(service.home)
    assert.match((await service.run('tears')).error?.message ?? '', /It is torn/)
    assert.deepEqual(await bytesIn(service.home), lying)
  })

  it('are passed on to items and to other flows, and back', async () => {
    await service.createFlow({
      name: 'Each',
      slug: 'each-reads',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each' },
        { id: 'paper', type: 'read-paper', parent: 'each' },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'each.items' },
        { from: 'each.item', to: 'paper.data' },
        { from: 'paper.data', to: 'each.result' },
        { from: 'each.results', to: 'answer.data' }
      ]
    })
    await service.createFlow({
      name: 'Calls',
      slug: 'calls-writes',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'call', type: 'run-flow', fields: { flow: 'calls-paper' } },
        { id: 'paper', type: 'read-paper' },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'call.data' },
        { from: 'call.data', to: 'paper.data' },
        { from: 'paper.data', to: 'answer.data' }
      ]
    })
    await service.createFlow(paperFlow('write-paper', { slug: 'calls-paper' }))
    const files = [await upload(service, 'one'), await upload(service, 'two')]
    const each = await service.post('/api/v1/run/each-reads', { input: files })
    assert.deepEqual(
      (each.json<{ output: { text: string }[] }>().output ?? assert.fail(each.text)).map(({ text }) => text),
      ['one', 'two']
    )
    const called = await service.post('/api/v1/run/calls-writes', { input: 'from below' })
    assert.equal(called.json<{ output: { text: string } }>().output.text, 'from below', called.text)
    await service.createFlow({
      ...paperFlow('read-paper', { slug: 'passes-on' }),
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'paper', type: 'run-flow', fields: { flow: 'reads' } },
        { id: 'answer', type: 'return' }
      ]
    })
    const passed = await service.post('/api/v1/run/passes-on', { input: files[0] })
    assert.equal(passed.json<{ output: { text: string } }>().output.text, 'one', passed.text)
  })

  it('that are kept by one run are opened by another of a flow that sees their context', async () => {
    const keep = (slug: string, context: string, nodes: readonly object[], edges: readonly string[][]) =>
      service.createFlow({
        name: slug,
        slug,
        context,
        nodes: [{ id: 'webhook-1', type: 'webhook' }, ...nodes, { id: 'answer', type: 'return' }],
        edges: edges.map(([from, to]) => ({ from, to }))
      })
    await keep(
      'keeps-paper',
      '/sales',
      [
        { id: 'paper', type: 'write-paper' },
        { id: 'keep', type: 'keep', fields: { operation: 'Set', key: 'paper' } }
      ],
      [
        ['webhook-1.data', 'paper.data'],
        ['paper.data', 'keep.data'],
        ['keep.data', 'answer.data']
      ]
    )
    await keep(
      'opens-kept',
      '/sales',
      [
        { id: 'keep', type: 'keep', fields: { operation: 'Get', key: 'paper' } },
        { id: 'each', type: 'for-each' },
        { id: 'paper', type: 'read-paper', parent: 'each' }
      ],
      [
        ['webhook-1.data', 'keep.data'],
        ['keep.data', 'each.items'],
        ['each.item', 'paper.data'],
        ['paper.data', 'each.result'],
        ['each.results', 'answer.data']
      ]
    )
    const { status } = await service.run('keeps-paper', '["kept"]')
    assert.equal(status, 'succeeded')
    const opened = await service.post('/api/v1/run/opens-kept', { input: {} })
    const { output } = opened.json<{ output: { text: string; file: FileValue }[] }>()
    assert.equal(output?.[0]?.text, 'kept', opened.text)
    const sent = await service.run('reads-anybody', JSON.stringify(output[0]!.file), { key: null })
    assert.equal(
      sent.error?.code,
      'file_not_found',
      'who sends its id to a flow of the context opens nothing'
    )
    const support = await service.createKey({ context: '/support', rights: ['trigger', 'read'] })
    problemOf(await read(service, output[0]!.file, support.key), 404, 'file_not_found')
  })

  it('whose id comes with a call that a run waits for stay closed', async () => {
    const file = await upload(service, 'ours', { query: '?context=/sales' })
    await service.createFlow({
      name: 'Waits',
      slug: 'waits-paper',
      context: '/sales',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'call', type: 'wait-for-call' },
        { id: 'paper', type: 'read-paper' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'call.data' },
        { from: 'call.data', to: 'paper.data' }
      ]
    })
    const events = await service.events('waits-paper')
    const id = await service.start('waits-paper')
    await events.until(({ event }) => event === 'run.waiting')
    events.close()
    const { waiting } = (await service.readRun(id)) as unknown as { waiting: { resume_url: string }[] }
    const path = waiting[0]!.resume_url.slice(service.address.length)
    assert.equal((await service.post(path, file, { key: null })).status, 202)
    assert.equal((await service.waitForRun(id)).error?.code, 'file_not_found')
  })
})
