import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { getRollbackPlans } from 'pg-boss'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { openPostgresStore } from '../open-postgres-store.ts'
import { examinePostgresStore } from '../upkeep/examine-store.ts'
import { QUEUE_SCHEMA } from './job-rows.ts'
import { TESTED_VERSION, untestedQueue } from './queue-version.ts'

const postgres = sharedPostgres()

test('the queue is used as tested, before it is made, and where the start brings it up', () => {
  for (const stored of [TESTED_VERSION, undefined, TESTED_VERSION - 1]) {
    assert.equal(untestedQueue({ stored, installed: TESTED_VERSION }), undefined)
  }
})

test('a pg-boss that was not tested is refused, whatever is in the database', () => {
  for (const installed of [TESTED_VERSION - 1, TESTED_VERSION + 1]) {
    for (const stored of [undefined, TESTED_VERSION, installed]) {
      const { says, remedy } = untestedQueue({ stored, installed })!
      assert.ok(says.includes(`version ${installed}, and Millrace was tested with version ${TESTED_VERSION}`))
      assert.match(remedy, /npm ci/)
    }
  }
})

async function run(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

test('tables that are newer than tested are refused at the start, and doctor says so', async () => {
  const url = await postgres.database()
  const setVersion = async (version: number) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client
      .query('UPDATE millrace_queue.version SET version = $1', [version])
      .finally(() => client.end())
  }
  const doctor = async () =>
    (await examinePostgresStore({ url, now: Date.now })).find(({ check }) => check === 'queue')
  assert.deepEqual((await doctor())?.says, `pg-boss schema ${TESTED_VERSION}, as tested`)
  await setVersion(TESTED_VERSION + 1)
  const refusal = new RegExp(
    `version ${TESTED_VERSION + 1}, and this Millrace was tested with .* Start the newer`
  )
  await assert.rejects(openPostgresStore({ url, processId: 'test' }), {
    code: 'queue_untested',
    message: refusal
  })
  const newer = await doctor()
  assert.equal(newer?.verdict, 'fault')
  assert.match(`${newer?.says}. ${newer?.remedy}`, refusal)
  await setVersion(TESTED_VERSION - 1)
  assert.equal((await doctor())?.verdict, 'warning')
})

test('tables that are older are brought up by the start', async (t) => {
  const url = await postgres.database()
  // Version 40 alters the table that holds the version: whoever had read it in a transaction would be in the way.
  for (let version = TESTED_VERSION; version >= 40; version--)
    await run(url, getRollbackPlans(QUEUE_SCHEMA, version))
  const store = await openPostgresStore({ url, processId: 'test', connections: 4 })
  cleanUp(t, () => store.close())
  const findings = await examinePostgresStore({ url, now: Date.now })
  assert.equal(findings.find(({ check }) => check === 'queue')?.verdict, 'ok')
})
