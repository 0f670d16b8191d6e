import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from '../../test/support/clean-up.ts'
import { sharedPostgres } from '../../test/support/postgres.ts'
import { openPostgresStore } from '../store/postgres/open-postgres-store.ts'
import { createDatabasePlace } from './database-place.ts'
import { filePlaceContract, newName } from './file-place.test-kit.ts'

const postgres = sharedPostgres()
const PART = 1_048_576

async function placeFor(test: TestContext) {
  const url = await postgres.database()
  const store = await openPostgresStore({ url, processId: 'test', connections: 4 })
  cleanUp(test, async () => {
    await store.close()
    await postgres.giveBack(url)
  })
  return { place: createDatabasePlace(store.fileParts), url }
}

filePlaceContract('PostgreSQL', async (test) => (await placeFor(test)).place)

describe('files in PostgreSQL', () => {
  it('lie in parts that fit into memory, as many as they need', async (t) => {
    const { place, url } = await placeFor(t)
    const sizes = [1, PART - 1, PART, PART + 1, 3 * PART]
    const counts: number[] = []
    for (const size of sizes) {
      const [name, bytes] = [newName(), randomBytes(size)]
      await place.write(name, Readable.from([bytes]))
      assert.ok((await buffer(await place.read(name))).equals(bytes), `${size} bytes`)
      counts.push(await partsOf(url, name))
    }
    assert.deepEqual(counts, [1, 1, 1, 2, 3])
  })

  it('hold no connection while a sender takes its time, and are read by many at once', async (t) => {
    const { place } = await placeFor(t)
    const names = Array.from({ length: 12 }, newName)
    const bytes = randomBytes(2 * PART + 5)
    // All senders have begun before the first one goes on.
    const begun = Promise.withResolvers<void>()
    let waiting = 0
    async function* slowly() {
      yield bytes.subarray(0, PART)
      waiting += 1
      if (waiting === names.length) begun.resolve()
      await begun.promise
      yield bytes.subarray(PART)
    }
    await Promise.all(names.map((name) => place.write(name, slowly())))
    const streams = await Promise.all(names.map((name) => place.read(name)))
    for (const stream of streams) assert.ok((await buffer(stream)).equals(bytes))
  })

  it('are never written twice by one name', async (t) => {
    const { place } = await placeFor(t)
    const name = newName()
    await place.write(name, Readable.from([Buffer.from('first')]))
    await assert.rejects(place.write(name, Readable.from([Buffer.from('second')])), { code: '23505' })
    assert.equal(String(await buffer(await place.read(name))), 'first')
  })
})

async function partsOf(url: string, name: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT count(*) FROM millrace.file_parts WHERE name = $1', [name])
    return Number(rows[0].count)
  } finally {
    await client.end()
  }
}
