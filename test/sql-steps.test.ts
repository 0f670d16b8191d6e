import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { sharedPostgres } from './support/postgres.ts'
import { type Service, startService, temporaryFolder } from './support/service.ts'
import { type Fate, startRelay } from './support/tcp-relay.ts'

const postgres = sharedPostgres()

type Fields = Readonly<Record<string, unknown>>

async function connect(service: Service, connection: Fields, key?: string) {
  const options = { body: { name: 'shop', ...connection }, ...(key === undefined ? {} : { key }) }
  return service.request('POST', '/api/v1/connections', options)
}

async function withFile(test: TestContext) {
  const service = await startService(test)
  const file = join(await temporaryFolder(test), 'shop.db')
  const made = await connect(service, { kind: 'sqlite', settings: { file } })
  assert.equal(made.status, 201, made.text)
  return { service, file, id: made.json<{ id: string }>().id }
}

function document(fields: Fields, context = '/', node: Fields = {}) {
  return {
    name: 'Shop',
    context,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      { id: 'sql-1', type: 'sql', fields: { connection: 'shop', ...fields }, ...node }
    ],
    edges: [{ from: 'webhook-1.data', to: 'sql-1.data' }]
  }
}

/** A run of Webhook → SQL, to its end. */
async function run(service: Service, fields: Fields, input: unknown = {}): Promise<RunBody> {
  const flow = await service.createFlow(document(fields))
  return (await service.request('POST', `/api/v1/run/${flow.id}`, { body: { input } })).json<RunBody>()
}

function outputsOf({ steps, error }: RunBody) {
  return steps.find(({ node }) => node === 'sql-1')?.outputs ?? assert.fail(JSON.stringify(error))
}

describe('SQL in a flow', () => {
  it('writes and reads with values of the data, and gives rows and a count', async (t) => {
    const { service } = await withFile(t)
    await run(service, {
      query: 'create table orders (id integer, customer text, total real, paid integer, run text)'
    })
    const written = await run(
      service,
      {
        query: 'insert into orders values (:id, :customer, :total, :paid, :idempotency_key);',
        parameters: { id: '{order_id}', customer: 'Mr {name}', total: '{total}', paid: '{paid?}' }
      },
      { order_id: 7, name: "O'Neill'); drop table orders; --", total: 12.5 }
    )
    assert.deepEqual(outputsOf(written), { rows: [], result: { count: 1 } })
    const read = await run(
      service,
      { query: 'select * from orders where id = :id', parameters: { id: '{id}' } },
      { id: 7 }
    )
    assert.deepEqual(outputsOf(read), {
      rows: [
        {
          id: 7,
          customer: "Mr O'Neill'); drop table orders; --",
          total: 12.5,
          paid: null,
          run: `${written.id}/sql-1`
        }
      ],
      result: { count: 1 }
    })
  })

  it('tells a missing key of the data, and an error of the database, by their codes', async (t) => {
    const { service } = await withFile(t)
    const missing = await run(service, { query: 'select :id', parameters: { id: '{id}' } }, { name: 'Ann' })
    assert.equal(missing.error?.code, 'template_missing_key')
    assert.match(missing.error!.message, /Parameters: .*\{id\}/)
    const unknown = await run(service, { query: 'select * from nowhere' })
    assert.equal(unknown.error?.code, 'sql_unknown_table')
    const lost = await run(service, { query: 'select 1', connection: 'nobody' })
    assert.equal(lost.error?.code, 'connection_not_found')
  })

  it('is refused when it is saved, where it can never work', async (t) => {
    const service = await startService(t)
    const save = async (fields: Fields) => {
      const answer = await service.request('POST', '/api/v1/flows', { body: document(fields) })
      return problemOf(answer, 422, 'flow_invalid').errors!.map(({ code, line, column }) => [
        code,
        line,
        column
      ])
    }
    assert.deepEqual(await save({ query: 'select 1;\ndrop table t' }), [['sql_several_statements', 2, 1]])
    assert.deepEqual(await save({ query: 'commit' }), [['sql_statement_refused', 1, 1]])
    assert.deepEqual(await save({ query: "select 'a" }), [['sql_syntax', 1, 8]])
    assert.deepEqual(await save({ query: 'select {$table}' }), [['sql_syntax', 1, 8]])
    assert.deepEqual(await save({ query: 'select :id' }), [['sql_parameter_missing', undefined, undefined]])
    assert.deepEqual(await save({ query: 'select 1', parameters: { id: '{' } }), [['template_syntax', 1, 1]])
    assert.deepEqual(await save({ query: 'select 1', parameters: [] }), [
      ['invalid_field', undefined, undefined]
    ])
  })

  it('reaches a server where its address is trusted, and nobody else does', async (t) => {
    const service = await startService(t)
    const { port, pathname } = new URL(await postgres.emptyDatabase())
    const settings = { host: '127.0.0.1', port: Number(port), user: 'millrace', database: pathname.slice(1) }
    await makeContext(service, '/sales', {})
    const { key } = await service.createKey({ rights: ['admin'], context: '/sales' })
    const untrusted = await connect(service, { kind: 'postgres', settings, context: '/sales' }, key)
    assert.equal(untrusted.status, 201, untrusted.text)
    const flow = await service.createFlow(document({ query: 'select 1 as one' }, '/sales'))
    const refused = await service.request('POST', `/api/v1/run/${flow.id}`, { body: { input: {} } })
    assert.equal(refused.json<RunBody>().error?.code, 'egress_refused')

    await connect(service, { kind: 'postgres', settings })
    assert.deepEqual(outputsOf(await run(service, { query: 'select 1 as one' })).rows, [{ one: 1 }])
    const { id } = (await connect(service, { kind: 'postgres', settings, name: 'other' })).json<{
      id: string
    }>()
    const trial = await service.request('POST', `/api/v1/connections/${id}/test`)
    assert.partialDeepStrictEqual(trial.json(), { ok: true })
  })
})

describe('a step of SQL whose connection is lost', () => {
  /** A run of one insert through a relay that lets the first piece of this kind have this fate. */
  async function insertThrough(t: TestContext, words: RegExp, fate: Fate) {
    const service = await startService(t)
    const { port, pathname } = new URL(await postgres.emptyDatabase())
    const settings = { host: '127.0.0.1', port: Number(port), user: 'millrace', database: pathname.slice(1) }
    await connect(service, { kind: 'postgres', settings })
    outputsOf(await run(service, { query: 'create table payments (id int)' }))
    let seen = 0
    const fateOf = (piece: string) => (words.test(piece) && ++seen === 1 ? fate : 'pass')
    const relay = await startRelay(t, Number(port), { fateOf })
    const name = 'behind'
    await connect(service, { kind: 'postgres', name, settings: { ...settings, port: relay.port } })
    const flow = await service.createFlow(
      document({ connection: name, query: 'insert into payments values (1)' }, '/', {
        timeout_ms: 1_000,
        retry: { attempts: 5, backoff_ms: 1 }
      })
    )
    const body = { input: {} }
    const ran = (await service.request('POST', `/api/v1/run/${flow.id}`, { body })).json<RunBody>()
    const { rows } = outputsOf(await run(service, { query: 'select id from payments' }))
    return { ran, seen, rows: (rows as unknown[]).length }
  }

  it('is tried again where nothing was committed', async (t) => {
    const { ran, rows } = await insertThrough(t, /insert/, 'cut answer')
    assert.deepEqual([ran.status, rows], ['succeeded', 1])
    assert.ok(ran.steps.find(({ node }) => node === 'sql-1')!.attempts > 1)
  })

  it('is not tried again where it may have been, also when its time is over meanwhile', async (t) => {
    for (const fate of ['cut answer', 'hold answer'] as const) {
      const { ran, seen, rows } = await insertThrough(t, /commit/, fate)
      assert.deepEqual([ran.error?.code, seen, rows], ['sql_commit_unknown', 1, 1], fate)
    }
  })
})

describe('the tables of a connection', () => {
  it('are told to those who may save flows there', async (t) => {
    const { service } = await withFile(t)
    await run(service, { query: 'create table orders (id integer, customer text)' })
    await makeContext(service, '/sales', {})
    const path = '/api/v1/connections/tables?context=/sales&connection=shop'
    const { key } = await service.createKey({ rights: ['write'], context: '/sales' })
    const columns = [
      { name: 'id', type: 'INTEGER' },
      { name: 'customer', type: 'TEXT' }
    ]
    assert.deepEqual((await service.request('GET', path, { key })).json(), {
      tables: [{ name: 'orders', columns }],
      truncated: false
    })
    const reader = await service.createKey({ rights: ['read'] })
    problemOf(await service.request('GET', path, { key: reader.key }), 403, 'forbidden')
    problemOf(await service.request('GET', `${path}2`, { key }), 404, 'connection_not_found')
    await connect(service, { name: 'web', kind: 'http', settings: { base_url: 'https://shop.example' } })
    const other = await service.request('GET', path.replace('shop', 'web'), { key })
    problemOf(other, 502, 'tables_unreadable')
  })
})

describe('a connection to a file', () => {
  it('is for those who administer the root', async (t) => {
    const { service, file, id } = await withFile(t)
    await makeContext(service, '/sales', {})
    const { key } = await service.createKey({ rights: ['admin'], context: '/sales' })
    const theirs = { kind: 'sqlite', context: '/sales', settings: { file } }
    problemOf(await connect(service, theirs, key), 403, 'forbidden')
    await service.request('PUT', `/api/v1/connections/${id}`, {
      body: { name: 'shop', kind: 'sqlite', context: '/sales', settings: { file, read_only: true } }
    })
    // Theirs now, as it was made for them: neither another file, nor the right to write.
    for (const settings of [{ file: '/etc/passwd', read_only: true }, { file }]) {
      const body = { name: 'shop', kind: 'sqlite', context: '/sales', settings }
      problemOf(await service.request('PUT', `/api/v1/connections/${id}`, { key, body }), 403, 'forbidden')
    }
    const body = { name: 'renamed', kind: 'sqlite', context: '/sales', settings: { file, read_only: true } }
    assert.equal((await service.request('PUT', `/api/v1/connections/${id}`, { key, body })).status, 200)
  })

  it('never leads to the files of the service', async (t) => {
    const { service } = await withFile(t)
    for (const file of [
      'millrace.db',
      'secret.key',
      'new/x.db',
      `../${service.home.split('/').at(-1)}/a.db`
    ]) {
      const path = join(service.home, file)
      const answer = await connect(service, { name: 'own', kind: 'sqlite', settings: { file: path } })
      problemOf(answer, 422, 'connection_invalid')
    }
    problemOf(
      await connect(service, { name: 'm', kind: 'sqlite', settings: { file: ':memory:' } }),
      422,
      'connection_invalid'
    )
    assert.ok(!existsSync(join(service.home, 'new')))
  })
})
