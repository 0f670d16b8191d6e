import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Client } from 'pg'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { bigintArray, byteaArray, integerArray, textArray } from './binary-arrays.ts'

const postgres = sharedPostgres()

test('PostgreSQL reads every array as it was written', async (t) => {
  const client = new Client({ connectionString: await postgres.emptyDatabase() })
  await client.connect()
  cleanUp(t, () => client.end())
  const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''))
  const row = fc.record({
    text: fc.option(text),
    bytes: fc.uint8Array(),
    integer: fc.integer(),
    bigint: fc.maxSafeInteger()
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
      const read = await client.query(
        `SELECT unnest($1::text[]) AS text, unnest($2::bytea[]) AS bytes, unnest($3::integer[]) AS integer,
           unnest($4::bigint[])::text AS bigint`,
        [
          textArray(rows.map((each) => each.text)),
          byteaArray(rows.map((each) => each.bytes)),
          integerArray(rows.map((each) => each.integer)),
          bigintArray(rows.map((each) => each.bigint))
        ]
      )
      assert.deepEqual(
        read.rows.map((each) => ({ ...each, bytes: [...each.bytes], bigint: Number(each.bigint) })),
        rows.map((each) => ({ ...each, bytes: [...each.bytes] }))
      )
    }),
    { numRuns: 60 }
  )
})
