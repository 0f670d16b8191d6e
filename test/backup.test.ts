import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { findPostgres } from '../scripts/install-postgres.mjs'
import type { ApiClient } from './support/api-client.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { runMillrace } from './support/millrace-command.ts'
import { startPostgresServer } from './support/postgres-server.ts'
import { temporaryFolder } from './support/stage.ts'

const ENV = { MILLRACE_API_KEY: CHILD_KEY }

describe('backup and restore', () => {
  it('of the embedded store: the guide’s commands, while the service runs', async (t) => {
    const service = await spawnService(t, { env: ENV })
    const client = await service.client(CHILD_KEY)
    const run = await order(client, 7)
    const secrets = { token: 'canary-token-0123456789' }
    const settings = { base_url: 'https://shop.example', auth: 'bearer' }
    await client.request('POST', '/api/v1/connections', {
      body: { name: 'shop', kind: 'http', settings, secrets }
    })
    const folder = await temporaryFolder(t)
    const made = await runMillrace(t, ['backup', 'millrace-backup.db'], {
      cwd: folder,
      env: { MILLRACE_HOME: service.home }
    })
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stdout, /: 1 flow, 1 run, .*are sealed: keep \S+secret\.key, too/s)
    const saved = await readFile(join(folder, 'millrace-backup.db'))
    assert.ok(saved.includes('shop.example') && !saved.includes(secrets.token))
    const later = await order(client, 8)
    await service.end('SIGKILL')

    const home = join(folder, 'restored')
    await mkdir(home)
    await copyFile(join(folder, 'millrace-backup.db'), join(home, 'millrace.db'))
    const restored = await (await spawnService(t, { home, env: ENV })).client(CHILD_KEY)
    assert.deepEqual(await restored.waitForRun(run.id), run)
    assert.equal((await restored.get(`/api/v1/runs/${later.id}`)).status, 404, 'it came after the backup')
    assert.equal((await order(restored, 9)).status, 'succeeded')
  })

  it('of PostgreSQL: pg_dump while the service runs, pg_restore into an empty database', async (t) => {
    // pg_dump refuses servers that are newer than itself, so both are of one package.
    const [binaries] = findPostgres()
    assert.ok(binaries, 'no PostgreSQL with pg_dump is installed. Remedy: Debian: apt-get install postgresql')
    const server = await startPostgresServer({ binaries })
    cleanUp(t, () => server.stop())
    const tool = (name: string, ...args: string[]) => promisify(execFile)(join(binaries, name), args)
    const url = server.url('postgres')
    const service = await spawnService(t, { env: { ...ENV, DATABASE_URL: url } })
    const client = await service.client(CHILD_KEY)
    const run = await order(client, 7)
    const file = join(await temporaryFolder(t), 'millrace.dump')
    await tool('pg_dump', '--format=custom', `--file=${file}`, url)
    const later = await order(client, 8)
    await service.end('SIGKILL')

    await tool('createdb', `--maintenance-db=${url}`, 'restored')
    const target = server.url('restored')
    await tool('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${target}`, file)
    const other = await spawnService(t, { env: { ...ENV, DATABASE_URL: target } })
    const restored = await other.client(CHILD_KEY)
    assert.deepEqual(await restored.waitForRun(run.id), run)
    assert.equal((await restored.get(`/api/v1/runs/${later.id}`)).status, 404, 'it came after the backup')
    assert.equal((await order(restored, 9)).status, 'succeeded')
    const sound = await runMillrace(t, ['doctor'], { env: { DATABASE_URL: target } })
    assert.equal(sound.code, 0, sound.stdout)
  })

  it('says which tool to use where PostgreSQL is the store', async (t) => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const { code, stderr } = await runMillrace(t, ['backup', 'x.db'], { env, cwd: await temporaryFolder(t) })
    assert.equal(code, 1)
    assert.match(stderr, /^DATABASE_URL is set, [^\n]*pg_dump --format=custom[^\n]*\n$/)
  })
})

/** Sends an order to the example flow and resolves to the finished run. */
async function order(client: ApiClient, number: number) {
  const answer = await client.webhook('orders', JSON.stringify({ order_id: number, customer: 'Ann' }))
  assert.equal(answer.status, 202, answer.text)
  return client.waitForRun(answer.json<{ run_id: string }>().run_id)
}
