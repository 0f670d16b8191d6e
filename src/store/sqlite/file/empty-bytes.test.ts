import assert from 'node:assert/strict'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { it } from 'node:test'
import { keepingEmptyBytes } from './empty-bytes.ts'
import { preparingLate } from './late-statements.ts'

/** A database as Node 22 has it. */
function losingEmptyBytes(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  const prepare = db.prepare.bind(db)
  const bound = (value: SQLInputValue) =>
    value instanceof Uint8Array && value.buffer.byteLength === 0 ? null : value
  return Object.defineProperty(db, 'prepare', {
    value: (sql: string) => {
      const statement = prepare(sql)
      const [run, get] = [statement.run.bind(statement), statement.get.bind(statement)]
      return Object.assign(statement, {
        run: (...values: SQLInputValue[]) => run(...values.map(bound)),
        get: (...values: SQLInputValue[]) => get(...values.map(bound))
      })
    },
    configurable: true
  })
}

it('bytes that are none stay bytes, also where Node takes them for nothing', () => {
  for (const open of [losingEmptyBytes, () => new DatabaseSync(':memory:')]) {
    const db = preparingLate(keepingEmptyBytes(open(), open()))
    db.exec('CREATE TABLE runs (input BLOB NOT NULL, request TEXT)')
    const add = db.prepare('INSERT INTO runs VALUES (?, ?)')
    for (const input of [new Uint8Array(), Buffer.concat([]), Buffer.from('a')]) add.run(input, null)
    const kept = db.prepare('SELECT input FROM runs WHERE request IS NULL').all()
    assert.deepEqual(
      kept.map(({ input }) => Buffer.from(input as Uint8Array).toString()),
      ['', '', 'a']
    )
    db.close()
  }
})
