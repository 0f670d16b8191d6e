import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import type { Certificate } from './certificates.ts'
import { cleanUp, type Lifetime, lifetimeOfFile } from './clean-up.ts'
import { describeContent } from './empty-database.ts'
import { perProcess } from './per-process.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

/** Set up once; every other database is a copy of it, which takes 20 to 40 ms instead of 300. */
const TEMPLATE = 'template_millrace'

/** Started by the first test that needs it, stopped when all are over. */
export interface TestServer {
  server(): Promise<PostgresServer>
  /** The address of an empty database, without any table. */
  emptyDatabase(): Promise<string>
  /** The address of a database that is set up and that no store was opened on yet. */
  database(): Promise<string>
  /** Lets the server take encrypted connections with this certificate until the work is done. */
  encrypted<R>(certificate: Certificate, work: () => Promise<R>): Promise<R>
  /** Before its file is over, where there are many: each is 8 MB, in memory if there is room. */
  drop(url: string): Promise<void>
  /**
   * For whoever asks for a database next, with everything as it was but its statistics and the room that rows took. All
   * connections to it are closed, and nobody has changed its schema. Of a processor that takes 5 ms, another one 33.
   */
  giveBack(url: string): Promise<void>
}

const serverOfProcess = perProcess(testServer)

/** One server for all test files of a process, which must not stop it. To be called at the top of a file. */
export function sharedPostgres(): TestServer {
  const shared = serverOfProcess()
  const made = new Set<string>()
  const keep = (url: string) => {
    made.add(url)
    return url
  }
  const drop = async (url: string) => {
    if (made.delete(url)) await shared.drop(url)
  }
  cleanUp(lifetimeOfFile(), async () => {
    for (const url of made) await drop(url)
  })
  return {
    server: shared.server,
    emptyDatabase: async () => keep(await shared.emptyDatabase()),
    database: async () => keep(await shared.database()),
    encrypted: shared.encrypted,
    drop,
    giveBack: async (url) => {
      if (made.delete(url)) await shared.giveBack(url)
    }
  }
}

/** For a file whose tests stop it or make it crash. To be called at its top. */
export function ownPostgres(): TestServer {
  return testServer(lifetimeOfFile())
}

function testServer(lifetime: Lifetime): TestServer {
  let started: Promise<PostgresServer> | undefined
  let template: Promise<string> | undefined
  let databases = 0
  let certificates = 0
  // One after the other: a database cannot be copied twice at once.
  let last: Promise<unknown> = Promise.resolve()
  const resultOfRun: string[] = []
  const emptiers = new Map<string, Client>()

  const server = () => {
    started ??= startPostgresServer()
    return started
  }

  async function create(from: string): Promise<string> {
    databases += 1
    const name = `test_${databases}`
    const made = last.then(async () =>
      runOn(await server(), `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`)
    )
    last = made.catch(() => {})
    await made
    return (await server()).url(name)
  }

  /** Returns what makes a database that was used like it again. */
  async function makeTemplate(): Promise<string> {
    const running = await server()
    await runOn(running, `CREATE DATABASE ${TEMPLATE}`)
    const store = await openPostgresStore({ processId: 'test', url: running.url(TEMPLATE) })
    await store.close()
    await runOn(running, 'UPDATE millrace.installation SET opened_on = NULL', TEMPLATE)
    return withClient(running.url(TEMPLATE), describeContent)
  }

  /** On a connection that stays: to plan all of this anew takes as long as to do it. */
  async function empty(url: string): Promise<void> {
    let client = emptiers.get(url)
    if (client === undefined) {
      client = new Client({ connectionString: url })
      emptiers.set(url, client)
      await client.connect()
    }
    await client.query(await template!)
  }

  cleanUp(lifetime, async () => (await started)?.stop())
  cleanUp(lifetime, async () => {
    for (const client of emptiers.values()) await client.end()
  })
  return {
    server,
    emptyDatabase: () => create('template0'),
    async database() {
      template ??= makeTemplate()
      await template
      return resultOfRun.pop() ?? create(TEMPLATE)
    },
    async giveBack(url) {
      await empty(url)
      resultOfRun.push(url)
    },
    async encrypted(certificate, work) {
      certificates += 1
      const name = `server-${certificates}`
      const running = await server()
      await running.keep(`${name}.crt`, certificate.cert)
      await running.keep(`${name}.key`, certificate.key)
      await configure(running, { ssl_cert_file: `${name}.crt`, ssl_key_file: `${name}.key`, ssl: 'on' })
      try {
        return await work()
      } finally {
        await configure(running, { ssl: 'off' })
      }
    },
    drop: async (url) => {
      await emptiers.get(url)?.end()
      emptiers.delete(url)
      await runOn(await server(), `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
    }
  }
}

function runOn(server: PostgresServer, text: string, database = 'postgres'): Promise<unknown[]> {
  return withClient(server.url(database), async (client) => (await client.query(text)).rows)
}

async function withClient<R>(url: string, work: (client: Client) => Promise<R>): Promise<R> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Sessions that begin from now on see these settings: the server reads them some time after it was told to. */
async function configure(server: PostgresServer, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await runOn(server, `ALTER SYSTEM SET ${name} = '${value}'`)
  await runOn(server, 'SELECT pg_reload_conf()')
  for (const [name, value] of Object.entries(settings))
    while (!isDeepStrictEqual(await runOn(server, `SHOW ${name}`), [{ [name]: value }]));
}
