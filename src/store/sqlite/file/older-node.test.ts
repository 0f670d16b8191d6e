import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { preparingLate } from './late-statements.ts'
import { onAnyNode } from './older-node.ts'

/** What node:sqlite was before 22.16, over a database of today: without what it lacked, and with its methods on the prototype. */
class OlderDatabase {
  readonly #db = new DatabaseSync(':memory:')

  prepare(sql: string) {
    return this.#db.prepare(sql)
  }

  exec(sql: string) {
    this.#db.exec(sql)
  }

  close() {
    this.#db.close()
  }
}

it('a store opens on an older Node too, and prepares its statements when they are first used', () => {
  const db = preparingLate(onAnyNode(new OlderDatabase() as unknown as DatabaseSync))
  const late = db.prepare('SELECT value FROM made_later WHERE place = ?2')
  db.exec('CREATE TABLE made_later (place, value); INSERT INTO made_later VALUES (1, 7)')
  late.setReturnArrays(true)
  assert.deepEqual(late.get('not used', 1), [7])
  assert.deepEqual([db.isOpen, db.isTransaction], [true, false])
  db.exec('BEGIN')
  assert.equal(db.isTransaction, true)
  db.close()
  assert.equal(db.isOpen, false)
})
