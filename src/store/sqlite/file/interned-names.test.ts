import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { InternedNames } from './interned-names.ts'
import { migrate, readMigrations } from './migrate.ts'

function setUp() {
  const db = new DatabaseSync(':memory:')
  migrate(db, readMigrations(), 'memory')
  const known = () =>
    db
      .prepare('SELECT name FROM names ORDER BY no')
      .all()
      .map((row) => row.name)
  return { db, names: new InternedNames(db), known }
}

describe('names', () => {
  it('have one number each, which stays', () => {
    const { db, names, known } = setUp()
    const [a, b] = [names.numberOf('a'), names.numberOf('b')]
    assert.notEqual(a, b)
    assert.equal(names.numberOf('a'), a)
    assert.equal(new InternedNames(db).numberOf('b'), b)
    assert.deepEqual(known(), ['a', 'b'])
  })

  it('go with the batch that they came with', () => {
    const { db, names, known } = setUp()
    names.numberOf('before')
    names.committed()
    const restore = names.snapshot()
    db.exec('BEGIN')
    names.numberOf('lost')
    db.exec('ROLLBACK')
    restore()
    assert.deepEqual(known(), ['before'])
    names.numberOf('lost')
    assert.deepEqual(known(), ['before', 'lost'])
  })
})
