import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { sharedMariaDb } from '../../../test/support/mariadb.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { startRelay } from '../../../test/support/tcp-relay.ts'
import { once, SESSIONS_WAITING } from './database-failures.test-kit.ts'
import { ask, failure, never, openConnection, ROOM } from './databases.test-kit.ts'
import { mySqlError } from './mysql-errors.ts'
import { databaseResource } from './open-database.ts'
import { PostgresSession } from './postgres-session.ts'

/** What goes wrong with database servers, on real ones: PostgreSQL and MariaDB. */
const postgres = sharedPostgres()

const mariaDb = sharedMariaDb()

describe('a transaction that cannot be kept apart from another', () => {
  it('is undone by PostgreSQL, and may be tried again', async (t) => {
    const { port, pathname } = new URL(await postgres.emptyDatabase())
    const name = pathname.slice(1)
    const settings = { host: '127.0.0.1', port: Number(port), user: 'millrace', database: name }
    const first = await databaseResource.open(openConnection('postgres', settings))
    await ask(first, 'create table counters as select 1 as id, 0 as n')
    await ask(first, `alter database ${name} set default_transaction_isolation = 'repeatable read'`)
    await first.close()
    const isolated = await databaseResource.open(openConnection('postgres', settings))
    const other = await PostgresSession.open(openConnection('postgres', settings), never)
    t.after(async () => {
      other.destroy()
      await isolated.close()
    })
    await other.begin({ isReadOnly: false, timeoutMs: 60_000 })
    await other.ask({ text: 'update counters set n = n + 1', values: [] }, () => {}, ROOM)
    const failing = failure(ask(isolated, 'update counters set n = n * 2'))
    await eventually(
      async () => Number((await ask(isolated, SESSIONS_WAITING)).rows[0]!.n),
      (sessions) => sessions > 0
    )
    await other.commit()
    const error = await failing
    assert.deepEqual([error.code, error.retryable], ['sql_conflict', true], error.message)
  })

  it('may be tried again where MariaDB or a cluster of MySQL says so', () => {
    for (const errno of [1020, 3101]) {
      const { code, retryable } = mySqlError({ errno, sqlMessage: 'Record has changed' }, 'server')
      assert.deepEqual([code, retryable], ['sql_conflict', true])
    }
  })
})

describe('a statement that MySQL commits by itself', () => {
  it('leaves open what came of it wherever the connection is lost', async (t) => {
    const { port, user, database } = await mariaDb()
    const { port: through } = await startRelay(t, port, { fateOf: once(/create table/, 'cut answer') })
    const behind = await databaseResource.open(
      openConnection('mysql', { host: '127.0.0.1', port: through, user, database })
    )
    t.after(() => behind.close())
    let commits = 0
    const error = await failure(ask(behind, 'create table more (id int)', { onCommit: () => void commits++ }))
    assert.deepEqual([error.code, error.retryable, commits], ['sql_commit_unknown', false, 1])
    await ask(behind, 'drop table if exists more')
  })
})
