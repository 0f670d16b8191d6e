import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mySqlError } from './mysql-errors.ts'

const told = (error: object) => {
  const { code, retryable } = mySqlError(error, 'server')
  return [code, retryable]
}

describe('a connection to MySQL that ends', () => {
  it('is told as that where the server says why, and may be tried again', () => {
    // It shuts down, cannot write or read what is sent, or somebody has killed the session.
    for (const errno of [1053, 1077, 1079, 1080, 1154, 1156, 1158, 1161, 1184, 1927, 3169, 4031])
      assert.deepEqual(told({ errno, sqlMessage: 'Aborted' }), ['sql_connection_lost', true], String(errno))
    assert.deepEqual(told({ errno: 1064, sqlMessage: 'Syntax' }), ['sql_syntax', false])
  })

  it('is told as that where the driver finds it closed', () => {
    const lost = { code: 'PROTOCOL_CONNECTION_LOST', fatal: true }
    const reset = { code: 'ECONNRESET', errno: -104, syscall: 'read', fatal: true }
    for (const facts of [lost, reset, { ...reset, code: 'EPIPE' }, { fatal: true }])
      assert.deepEqual(told(Object.assign(new Error('closed'), facts)), ['sql_connection_lost', true])
  })
})
