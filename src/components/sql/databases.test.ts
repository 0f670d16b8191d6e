import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sharedMariaDb } from '../../../test/support/mariadb.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { type JsonValue, parseJson, writeJson } from '../../flows/json/exact-json.ts'
import type { Database, SqlValue } from './database.ts'
import { ask, failure, never, openConnection, type Settings } from './databases.test-kit.ts'
import { listTables } from './list-tables.ts'
import { databaseResource } from './open-database.ts'
import { tryDatabase } from './try-database.ts'

const postgres = sharedPostgres()
const mariaDb = sharedMariaDb()
interface Kind {
  readonly kind: string
  readonly settings: () => Promise<Settings>
  readonly makeOrders: string
  /** Takes far longer than any test. */
  readonly endless: string
  readonly truth: JsonValue
}

const endlessCount = 'with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c'

const KINDS: readonly Kind[] = [
  {
    kind: 'postgres',
    settings: async () => {
      const { port, pathname } = new URL(await postgres.emptyDatabase())
      return { host: '127.0.0.1', port: Number(port), user: 'millrace', database: pathname.slice(1) }
    },
    makeOrders: `create table orders (id bigint primary key, total numeric(20,2), note text,
      made_at timestamptz default '2026-02-03 04:05:06.789+00', tags jsonb, photo bytea default '\\x0102')`,
    endless: 'select pg_sleep(600)',
    truth: true
  },
  {
    kind: 'mysql',
    settings: async () => {
      const { port, user, database } = await mariaDb()
      return { host: '127.0.0.1', port, user, database }
    },
    makeOrders: `create or replace table orders (id bigint primary key, total decimal(20,2), note text,
      made_at datetime(3) default '2026-02-03 04:05:06.789', tags json, photo varbinary(9) default x'0102')`,
    endless: 'select sleep(600)',
    truth: 1
  },
  {
    kind: 'sqlite',
    settings: async () => ({ file: join(folder, 'shop.db') }),
    makeOrders: `create table orders (id integer primary key, total numeric, note text,
      made_at text default '2026-02-03T04:05:06.789', tags text, photo blob default x'0102')`,
    endless: endlessCount,
    truth: 1
  }
]

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-sql-'))
})
after(() => rm(folder, { recursive: true, force: true }))

for (const { kind, settings, makeOrders, endless, truth } of KINDS)
  describe(`a database of the kind ${kind}`, () => {
    let given: Settings
    let database: Database
    let readOnly: Database
    const open = async (more: Settings) => databaseResource.open(openConnection(kind, { ...given, ...more }))

    before(async () => {
      given = await settings()
      database = await open({})
      readOnly = await open({ read_only: true })
      await ask(database, makeOrders)
      await ask(database, 'insert into orders (id, total, note, tags) values (:id, :total, :note, :tags)', {
        values: {
          id: parseJson('9007199254740993') as SqlValue,
          total: parseJson('12345678901.10') as SqlValue,
          note: "it's :this; --",
          tags: '{"n":[1.10]}'
        }
      })
    })
    after(async () => {
      await database.close()
      await readOnly.close()
    })

    it('keeps every digit, writes dates as ISO 8601 and bytes as base64', async () => {
      const { rows, count } = await ask(database, 'select * from orders')
      assert.equal(count, 1)
      const row = { ...rows[0] }
      assert.equal(String(row.made_at).slice(0, 23), '2026-02-03T04:05:06.789')
      delete row.made_at
      const total = kind === 'sqlite' ? '12345678901.1' : '12345678901.10'
      const tags = kind === 'sqlite' ? '"{\\"n\\":[1.10]}"' : '{"n":[1.10]}'
      assert.equal(
        writeJson(row),
        `{"id":9007199254740993,"total":${total},"note":"it's :this; --","tags":${tags},"photo":"AQI="}`
      )
    })

    it('gets values of the types that they have', async () => {
      const values = { n: 5, x: 1.5, t: true, z: null, text: '5', empty: '', long: 'ä€😀'.repeat(9) }
      const { rows } = await ask(
        database,
        'select :n as n, :x as x, :t as t, :z as z, :text as text, :empty as empty, :long as "long"',
        { values }
      )
      assert.equal(writeJson(rows), writeJson([{ ...values, t: truth }]))
      const found = await ask(database, 'select id from orders where id = :id and note <> :n limit :one', {
        values: { id: parseJson('9007199254740993') as SqlValue, n: 'x', one: 1 }
      })
      assert.equal(found.count, 1)
      // A number for a text, too: many senders do not mind which of the two an order number is.
      const none = await ask(database, 'select id from orders where note = :n', { values: { n: 7 } })
      assert.equal(none.count, 0)
    })

    it('gives two columns of one name two names', async () => {
      const { rows } = await ask(database, 'select 1 as a, 2 as a, 3 as a_2')
      assert.deepEqual(rows, [{ a: 1, a_3: 2, a_2: 3 }])
    })

    it('tells how many rows it changed, and those that a change gives back', async () => {
      assert.deepEqual((await ask(database, 'update orders set total = 1')).count, 1)
      const { rows, count } = await ask(database, 'insert into orders (id) values (1), (2) returning id')
      assert.deepEqual([rows, count], [[{ id: 1 }, { id: 2 }], 2])
      assert.equal((await ask(database, 'delete from orders where id < 3')).count, 2)
    })

    it('says what is wrong with a query', async () => {
      const wrong: readonly (readonly [string, string, RegExp])[] = [
        ['selec 1', 'sql_syntax', /selec/],
        ['select\n * from nowhere', 'sql_unknown_table', /nowhere/],
        ['select missing from orders', 'sql_unknown_column', /missing/],
        ['insert into orders (id) select id from orders', 'sql_duplicate_key', /Choose another value/]
      ]
      for (const [query, code, words] of wrong) {
        const error = await failure(ask(database, query))
        assert.deepEqual([error.code, error.retryable], [code, false], error.message)
        assert.match(error.message, words)
      }
      if (kind !== 'postgres') return
      const { message } = await failure(ask(database, 'select :n,\n * from nowhere', { values: { n: 1 } }))
      assert.match(message, /line 2, column 9/)
    })

    it('changes nothing where the connection is read-only', async () => {
      for (const query of ['insert into orders (id) values (7)', 'create table more (id int)'])
        assert.equal((await failure(ask(readOnly, query))).code, 'sql_read_only', query)
      assert.equal((await ask(readOnly, 'select * from orders')).count, 1)
    })

    it('fails at more rows than are allowed, and commits nothing', async () => {
      const error = await failure(
        ask(database, 'insert into orders (id) values (3), (4) returning id', { maxRows: 1 })
      )
      assert.equal(error.code, 'sql_too_many_rows')
      assert.equal((await ask(database, 'select id from orders', { maxRows: 1 })).count, 1)
    })

    it('ends a statement that takes too long', async () => {
      const error = await failure(ask(database, endless, { timeoutMs: 50 }))
      assert.deepEqual([error.code, error.retryable], ['sql_timeout', false])
      if (kind !== 'sqlite') assert.match(error.message, /^(PostgreSQL|The database) says: /)
    })

    it('fails at more than a step may put out, before all of it is in memory', async () => {
      const long = kind === 'sqlite' ? 'hex(zeroblob(1000000))' : "repeat('x', 2000000)"
      const error = await failure(ask(database, `select ${long} as much`))
      assert.deepEqual([error.code, error.retryable], ['output_too_large', false])
      assert.match(error.message, /LIMIT, WHERE/)
    })

    it('ends a statement whose step is over, on the server too, by address and by name', async () => {
      const running = {
        postgres: active('pg_stat_activity', 'query', 'pg_sleep'),
        mysql: active('information_schema.processlist', 'info', 'benchmark')
      }
      const count = async () => {
        if (kind === 'sqlite') return 1
        const { rows } = await ask(database, running[kind as 'mysql'])
        return Number(rows[0]!.n)
      }
      for (const host of ['127.0.0.1', 'localhost']) {
        const other = await open(kind === 'sqlite' ? {} : { host })
        const end = new AbortController()
        // MariaDB looks in its sleep whether anybody listens, and ends by itself.
        const busy = kind === 'mysql' ? "select benchmark(1000000000000, md5('x'))" : endless
        const asking = ask(other, busy, { signal: end.signal })
        while ((await count()) === 0);
        const reason = new Error('cancelled')
        end.abort(reason)
        await assert.rejects(asking, reason)
        while (kind !== 'sqlite' && (await count()) > 0);
        assert.equal((await ask(other, 'select 1 as one')).count, 1)
        await other.close()
      }
    })

    it('tells tables with their columns, and that it answers', async () => {
      const connection = openConnection(kind, { ...given, ...(kind === 'mysql' ? {} : { read_only: true }) })
      const { tables } = await listTables(connection, never)
      const orders = tables.find(({ name }) => name === 'orders')
      assert.deepEqual(
        orders?.columns.map(({ name }) => name),
        ['id', 'total', 'note', 'made_at', 'tags', 'photo']
      )
      assert.match(await tryDatabase(connection, never), /PostgreSQL \d|MariaDB|SQLite 3/)
      await connection.withResource(databaseResource, (shared) => shared.close())
    })

    it('says why nobody gets in', async () => {
      const wrong: readonly (readonly [Settings, string, boolean])[] =
        kind === 'sqlite'
          ? [
              [{ file: join(folder, 'none', 'x.db') }, 'sql_file_unusable', false],
              [{ file: import.meta.filename }, 'sql_file_unusable', false]
            ]
          : [
              [{ port: 1 }, 'upstream_unreachable', true],
              [{ host: 'nowhere.invalid' }, 'upstream_unreachable', true],
              [{ database: 'nowhere' }, 'sql_unknown_database', false]
            ]
      for (const [more, code, retryable] of wrong) {
        const other = await open(more)
        const error = await failure(ask(other, 'select 1'))
        await other.close()
        assert.deepEqual([error.code, error.retryable], [code, retryable], error.message)
      }
    })
  })

function active(table: string, column: string, word: string): string {
  return `select count(*) as n from ${table} where ${column} like '%${word}(%' and ${column} not like '%count(%'`
}

describe('an SQLite database', () => {
  it('opens no other file, and says so', async () => {
    const database = await databaseResource.open(openConnection('sqlite', { file: join(folder, 'own.db') }))
    try {
      const denied = ['select * from pragma_database_list', 'explain attach "x" as y']
      for (const query of denied)
        assert.equal((await failure(ask(database, query))).code, 'sql_denied', query)
    } finally {
      await database.close()
    }
  })

  it('gives many rows in several messages, all of them and in their order', async () => {
    const database = await databaseResource.open(openConnection('sqlite', { file: join(folder, 'many.db') }))
    const most = 20_000
    const counted = `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${most}) select n from c`
    try {
      const { rows, count } = await ask(database, counted, { maxRows: most })
      assert.equal(count, most)
      assert.deepEqual(
        rows,
        Array.from({ length: most }, (_, at) => ({ n: at + 1 }))
      )
      // What nobody has asked for is not taken for the next answer.
      const over = new AbortController()
      const asked = ask(database, counted, { maxRows: most, signal: over.signal })
      over.abort(new Error('over'))
      await assert.rejects(asked, /over/)
      assert.deepEqual((await ask(database, 'select 1 as n')).rows, [{ n: 1 }])
    } finally {
      await database.close()
    }
  })

  it('commits nothing by a query that only reads, also one that begins with "with"', async () => {
    const database = await databaseResource.open(openConnection('sqlite', { file: join(folder, 'reads.db') }))
    const commitsOf = async (query: string) => {
      let commits = 0
      await ask(database, query, { onCommit: () => void commits++ })
      return commits
    }
    try {
      assert.equal(await commitsOf('create table t (n int)'), 1)
      assert.equal(
        await commitsOf(
          `with recursive c(n) as (select 1 union all select n + 1 from c where n < 3) select n, 'delete' from c`
        ),
        0
      )
      assert.equal(await commitsOf('with c as (select 1 n) Insert into t select n from c'), 1)
      assert.deepEqual((await ask(database, 'with c as (select n from t) select n from c')).rows, [{ n: 1 }])
    } finally {
      await database.close()
    }
  })
})
