import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storeUnwritable as databaseUnwritable } from '../store/postgres/database/unavailable.ts'
import { storeClosed, storeUnwritable } from '../store/sqlite/file/unwritable.ts'
import { problemAnswer } from './problem.ts'

const PLACE = '/srv/private/millrace'

describe('a store that cannot be written', () => {
  const denied = Object.assign(new Error(`EACCES: permission denied, open '${PLACE}/millrace.db'`), {
    code: 'EACCES'
  })
  const refused = Object.assign(new Error(`connect ECONNREFUSED ${PLACE}`), { code: 'ECONNREFUSED' })
  const errors = {
    'read-only': storeUnwritable(PLACE, denied),
    'for a reason that nobody knows': storeUnwritable(PLACE, new Error(`odd: ${PLACE}`)),
    closed: storeClosed(PLACE),
    'a database that is away': databaseUnwritable(PLACE, refused)
  }

  it('is told to whoever has shown a key with its place and the cause', () => {
    for (const error of Object.values(errors)) {
      assert.equal(JSON.parse(problemAnswer(error, true).text).detail, error.message)
      assert.ok(error.message.includes(PLACE))
    }
  })

  it('is told to everybody else without them, and with the remedy where one is known', () => {
    const details = Object.entries(errors).map(([name, error]) => {
      const { status, text } = problemAnswer(error)
      assert.equal(status, 503)
      assert.ok(!text.includes(PLACE), `${name}: ${text}`)
      return JSON.parse(text).detail
    })
    assert.match(details[0], /^The store cannot be written: the database is read-only\. Make the folder/)
    assert.equal(details[1], 'The store cannot be written. The log of Millrace says why.')
    assert.equal(details[2], details[1])
    assert.match(details[3], /^The store cannot be used: nobody answers there\. Start PostgreSQL/)
  })
})
