import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test'
import {
  AUTHORITY,
  type Certificate,
  EXPIRED,
  OTHER_AUTHORITY,
  OTHER_HOST,
  VALID
} from '../../../test/support/certificates.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { sharedMariaDb } from '../../../test/support/mariadb.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { USER_WITH_PASSWORD } from '../../../test/support/postgres-server.ts'
import { type Fate, startRelay } from '../../../test/support/tcp-relay.ts'
import type { OpenConnection, StepError } from '../../plugin-api.ts'
import type { Database } from './database.ts'
import { once, SESSIONS_WAITING } from './database-failures.test-kit.ts'
import { ask, failure, never, openConnection, ROOM, type Settings } from './databases.test-kit.ts'
import { MySqlSession } from './mysql-session.ts'
import { databaseResource } from './open-database.ts'
import { PostgresSession } from './postgres-session.ts'

/** What goes wrong with database servers, on real ones: PostgreSQL and MariaDB. */
const postgres = sharedPostgres()

const mariaDb = sharedMariaDb()

interface Kind {
  readonly kind: 'postgres' | 'mysql'
  settings(): Promise<Settings & { readonly port: number }>
  /** Touches the rows 2 and 1, in this order. */
  readonly twoThenOne: string
  /** How many sessions wait for a lock. */
  readonly waiting: string
  session(connection: OpenConnection): Promise<PostgresSession | MySqlSession>
  encrypted<R>(certificate: Certificate, work: () => Promise<R>): Promise<R>
  /** The first words of the server, or its answer to a wish for TLS, if it had none. */
  readonly withoutTls: (piece: Buffer) => Buffer
}

const KINDS: readonly Kind[] = [
  {
    kind: 'postgres',
    settings: async () => {
      const { port, pathname } = new URL(await postgres.emptyDatabase())
      return { host: '127.0.0.1', port: Number(port), user: 'millrace', database: pathname.slice(1) }
    },
    // Rows lie in the order in which they came.
    twoThenOne: 'update counters set n = n + 1 where id in (1, 2)',
    waiting: SESSIONS_WAITING,
    session: (connection) => PostgresSession.open(connection, never),
    encrypted: (certificate, work) => postgres.encrypted(certificate, work),
    withoutTls: (piece) => piece
  },
  {
    kind: 'mysql',
    settings: async () => {
      const { port, user, database } = await mariaDb()
      return { host: '127.0.0.1', port, user, database }
    },
    twoThenOne: 'update counters set n = n + 1 where id in (1, 2) order by id desc',
    waiting: "select count(*) as n from information_schema.innodb_trx where trx_state = 'LOCK WAIT'",
    session: (connection) => MySqlSession.open(connection, never),
    encrypted: async (certificate, work) => {
      const server = await mariaDb()
      await server.showCertificate(certificate)
      try {
        return await work()
      } finally {
        await server.showCertificate()
      }
    },
    withoutTls: (piece) => {
      const greeting = Buffer.from(piece)
      // The flags follow the version, the number of the session and a salt; one of them says that there is TLS.
      const flags = greeting.indexOf(0, 5) + 1 + 4 + 8 + 1
      greeting.writeUInt16LE(greeting.readUInt16LE(flags) & ~0x0800, flags)
      return greeting
    }
  }
]

for (const { kind, settings, twoThenOne, waiting, session, encrypted, withoutTls } of KINDS)
  describe(`a server of the kind ${kind}`, () => {
    let given: Settings & { readonly port: number }
    let database: Database
    const opened = (more: Settings = {}, secrets: OpenConnection['secrets'] = {}) =>
      openConnection(kind, { ...given, ...more }, secrets)
    const open = async (t: TestContext, ...with_: Parameters<typeof opened>) => {
      const other = await databaseResource.open(opened(...with_))
      t.after(() => other.close())
      return other
    }
    /** The database behind a relay that may lose its connections. */
    const openThrough = async (t: TestContext, fateOf: (piece: string) => Fate) => {
      const { port } = await startRelay(t, given.port, { fateOf })
      return open(t, { port })
    }
    const rows = async () => (await ask(database, 'select * from counters where id = 3')).count
    const insert = 'insert into counters values (3, 0)'

    before(async () => {
      given = await settings()
      database = await databaseResource.open(opened())
      await ask(database, 'create table counters (id int primary key, n int)')
      await ask(database, 'insert into counters values (2, 0)')
      await ask(database, 'insert into counters values (1, 0)')
    })
    after(async () => {
      await ask(database, 'drop table counters')
      await database.close()
    })
    beforeEach(() => ask(database, 'delete from counters where id = 3'))

    it('that is lost before the commit has written nothing, and may be asked again', async (t) => {
      for (const fate of ['cut', 'cut answer'] as const) {
        const behind = await openThrough(t, once(/insert/, fate))
        const error = await failure(
          ask(behind, insert, { onCommit: () => assert.fail('nothing was committed') })
        )
        assert.deepEqual([error.code, error.retryable], ['sql_connection_lost', true], error.message)
        assert.equal(await rows(), 0)
        assert.equal((await ask(behind, insert)).count, 1)
        await ask(database, 'delete from counters where id = 3')
      }
    })

    it('that is lost during the commit leaves open what came of it, and is not asked again', async (t) => {
      for (const [fate, written] of [
        ['cut', 0],
        ['cut answer', 1]
      ] as const) {
        let commits = 0
        const behind = await openThrough(t, once(/commit/, fate))
        const error = await failure(ask(behind, insert, { onCommit: () => void commits++ }))
        assert.deepEqual([error.code, error.retryable, commits], ['sql_commit_unknown', false, 1])
        assert.match(error.message, /lost during the commit.*Look in the database before you repeat it/)
        assert.equal(await rows(), written)
      }
    })

    it('that is lost while nothing can be written is asked again', async (t) => {
      const { port } = await startRelay(t, given.port, { fateOf: once(/commit/, 'cut answer') })
      const reader = await open(t, { port, read_only: true })
      const error = await failure(ask(reader, 'select 1'))
      assert.deepEqual([error.code, error.retryable], ['sql_connection_lost', true])
    })

    it('that has ended an idle session is asked on a new one', async (t) => {
      let isIdle = false
      const behind = await openThrough(t, (piece) => {
        if (!isIdle || !/begin|transaction/.test(piece)) return 'pass'
        isIdle = false
        return 'cut'
      })
      await ask(behind, 'select 1')
      isIdle = true
      assert.equal((await ask(behind, insert)).count, 1)
      assert.equal(isIdle, false)
      assert.equal(await rows(), 1)
    })

    it('that finds a deadlock undoes the step, which may be tried again', async () => {
      let error: StepError | undefined
      // The server chooses who of the two has to give way.
      while (error === undefined) error = await deadlock()
      assert.deepEqual([error.code, error.retryable], ['sql_deadlock', true], error.message)
    })

    async function deadlock(): Promise<StepError | undefined> {
      const other = await session(opened())
      const say = (text: string) => other.ask({ text, values: [] }, () => {}, ROOM)
      try {
        await other.begin({ isReadOnly: false, timeoutMs: 60_000 })
        await say('update counters set n = n + 1 where id = 1')
        const step = ask(database, twoThenOne).then(
          () => undefined,
          (error) => error as StepError
        )
        await someoneWaits()
        const isStep = await say('update counters set n = n + 1 where id = 2').then(
          () => true,
          () => false
        )
        await other.rollback()
        const failed = await step
        return isStep ? failed : undefined
      } finally {
        other.destroy()
      }
    }

    async function someoneWaits(): Promise<void> {
      await eventually(
        async () => Number((await ask(database, waiting)).rows[0]!.n),
        (sessions) => sessions > 0
      )
    }

    it('lets nobody in with a wrong password, and says which to correct', async (t) => {
      const user = USER_WITH_PASSWORD
      const made =
        kind === 'postgres' ? `create role ${user} login password` : `create user ${user} identified by`
      await ask(database, `${made} 'right'`)
      try {
        const rest = kind === 'postgres' ? {} : { database: 'information_schema' }
        const right = await open(t, { user, ...rest }, { password: 'right' })
        assert.equal((await ask(right, 'select 1')).count, 1)
        await right.close()
        for (const password of ['wrong', '']) {
          const error = await failure(ask(await open(t, { user, ...rest }, { password }), 'select 1'))
          assert.deepEqual([error.code, error.retryable], ['sql_sign_in_refused', false], error.message)
          assert.match(error.message, /Correct the user and the password of the connection/)
        }
      } finally {
        await ask(database, kind === 'postgres' ? `drop role ${user}` : `drop user ${user}`)
      }
    })

    it('is reached by TLS, where its certificate is what it should be', async (t) => {
      const reach = async (more: Settings) => ask(await open(t, { ssl: true, ...more }), 'select 1')
      const refused = async (more: Settings) => {
        const { code, retryable, message } = await failure(reach(more))
        assert.equal(retryable, false, message)
        return [code, message] as const
      }
      await encrypted(VALID, async () => {
        for (const host of ['127.0.0.1', 'localhost'])
          assert.equal((await reach({ ca: AUTHORITY, host })).count, 1)
        assert.equal((await reach({ ssl: 'no-verify' })).count, 1)
        for (const ca of [undefined, OTHER_AUTHORITY]) {
          const [code, message] = await refused(ca === undefined ? {} : { ca })
          assert.equal(code, 'certificate_invalid')
          assert.match(message, /not one that this machine trusts.*setting "ca" of the connection/)
        }
      })
      await encrypted(EXPIRED, async () => {
        assert.equal((await refused({ ca: AUTHORITY }))[0], 'certificate_expired')
      })
      await encrypted(OTHER_HOST, async () => {
        const [code, message] = await refused({ ca: AUTHORITY })
        assert.equal(code, 'certificate_invalid')
        assert.match(message, /for another host/)
      })
    })

    it('that has no TLS is told apart from one whose certificate is bad', async (t) => {
      const { port } = await startRelay(t, given.port, { greeting: withoutTls })
      const error = await failure(ask(await open(t, { port, ssl: true }), 'select 1'))
      assert.deepEqual([error.code, error.retryable], ['tls_failed', false])
      assert.match(error.message, /takes no encrypted connection/)
    })
  })
