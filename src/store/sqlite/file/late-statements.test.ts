import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { preparingLate } from './late-statements.ts'

describe('a statement that is prepared late', () => {
  it('is prepared when it is first used', () => {
    const db = preparingLate(new DatabaseSync(':memory:'))
    const count = db.prepare('SELECT count(*) AS count FROM things')
    assert.throws(() => count.get(), /no such table: things/)
    db.exec('CREATE TABLE things (name TEXT)')
    assert.deepEqual({ ...count.get() }, { count: 0 })
    db.close()
  })

  it('does what any other does, the first time and from then on', () => {
    const db = preparingLate(new DatabaseSync(':memory:'))
    db.exec('CREATE TABLE things (name TEXT)')
    const add = db.prepare('INSERT INTO things VALUES (?)')
    const all = db.prepare('SELECT name FROM things WHERE name > ?1')
    const each = db.prepare('SELECT name FROM things')
    each.setReturnArrays(true)
    for (const name of ['a', 'b', 'c']) {
      assert.equal(add.run(name).changes, 1)
      assert.deepEqual([...each.iterate()].at(-1), [name])
    }
    for (let time = 1; time <= 2; time++) {
      const names = all.all('a').map(({ name }) => name)
      assert.deepEqual(names, ['b', 'c'])
    }
    each.setReturnArrays(false)
    assert.deepEqual({ ...each.get() }, { name: 'a' })
    db.close()
  })
})
