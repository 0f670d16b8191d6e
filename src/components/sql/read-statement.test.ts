import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { atOnce } from '../../flows/in-turns.ts'
import { bindStatement } from './bind-statement.ts'
import { DIALECTS, type Dialect, MYSQL, POSTGRES, SQLITE } from './dialect.ts'
import {
  BadStatement,
  parametersIn,
  readEverywhere,
  readStatement,
  statementFault
} from './read-statement.ts'

function parametersOf(sql: string, dialect: Dialect): readonly string[] {
  return readStatement(sql, dialect).parameters
}

function parametersEverywhere(sql: string): string[] {
  return parametersIn(atOnce(readEverywhere(sql)))
}

function faultEverywhere(sql: string) {
  return statementFault(atOnce(readEverywhere(sql)))
}

function faultOf(sql: string, dialect: Dialect): string {
  try {
    readStatement(sql, dialect)
  } catch (error) {
    if (error instanceof BadStatement) return error.fault.code
    throw error
  }
  return assert.fail(`${sql} is sound`)
}

describe('parameters of a query', () => {
  it('are found in every dialect', () => {
    const sql = 'select :a, :b2 from t where x = :a and y in (:_c,:d)'
    for (const dialect of Object.values(DIALECTS))
      assert.deepEqual(parametersOf(sql, dialect), ['a', 'b2', '_c', 'd'])
  })

  const none: readonly (readonly [string, string, readonly Dialect[]])[] = [
    ['texts', `select ':a', 'it''s :b'`, [POSTGRES, MYSQL, SQLITE]],
    ['quoted names', 'select ":a"', [POSTGRES, MYSQL, SQLITE]],
    ['backticks', 'select `:a`', [MYSQL, SQLITE]],
    ['brackets', 'select [:a]', [SQLITE]],
    ['casts', `select '1'::int, x::text`, [POSTGRES]],
    ['slices', 'select items[1:n]', [POSTGRES]],
    ['dollar quotes', 'select $$ :a $$, $x$ $$ :b $x$', [POSTGRES]],
    ['texts with escapes', `select E'it\\'s :a'`, [POSTGRES]],
    ['texts with backslashes', `select 'it\\'s :a', "\\" :b"`, [MYSQL]],
    ['comments', 'select 1 -- :a\n/* :b */', [POSTGRES, MYSQL, SQLITE]],
    ['comments in comments', 'select 1 /* /* */ :a */', [POSTGRES]],
    ['hash comments', 'select 1 # :a', [MYSQL]],
    ['assignments', 'select @x := 1', [MYSQL]],
    ['operators of JSON', `select data #>> '{a}', data ? 'b', data @> '{}'`, [POSTGRES]]
  ]
  for (const [where, sql, dialects] of none)
    it(`are not looked for in ${where}`, () => {
      for (const dialect of dialects) assert.deepEqual(parametersOf(sql, dialect), [], dialect.name)
    })

  it('become what the driver takes, and places are told as they were written', () => {
    const sql = 'select :a,\n :b, :a'
    const bind = (dialect: Dialect) =>
      bindStatement(readStatement(sql, dialect), (name) => name.toUpperCase(), dialect)
    assert.deepEqual([bind(POSTGRES).text, bind(POSTGRES).values], ['select $1,\n $2, $1', ['A', 'B']])
    assert.deepEqual([bind(MYSQL).text, bind(MYSQL).values], ['select ?,\n ?, ?', ['A', 'B', 'A']])
    assert.deepEqual([bind(SQLITE).text, bind(SQLITE).values], ['select ?1,\n ?2, ?1', ['A', 'B']])
    const wide = bindStatement(
      readStatement('select :a, x', POSTGRES),
      () => 1,
      POSTGRES,
      () => 'cast($1 as integer)'
    )
    assert.equal(wide.placeInQuery(wide.text.indexOf('x')), 11)
    assert.equal(wide.placeInQuery(wide.text.indexOf('$1')), 7)
  })

  it('never change the text between them', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`ab'"$;:-/*#[]\\\n \``) }), (sql) => {
        for (const dialect of Object.values(DIALECTS)) {
          try {
            const { pieces } = readStatement(sql, dialect)
            const joined = pieces.map(({ kind, value }) => (kind === 'text' ? value : `:${value}`)).join('')
            assert.ok(sql.startsWith(joined))
            assert.match(sql.slice(joined.length), /^(?:;[\s\S]*)?$/)
          } catch (error) {
            assert.ok(error instanceof BadStatement)
          }
        }
      })
    )
  })
})

describe('a query', () => {
  it('is one statement, which may end with a semicolon', () => {
    for (const sql of ['select 1', 'select 1;', 'select 1 ; -- done', "select ';'", 'select 1 /* ; */'])
      assert.equal(faultEverywhere(sql), undefined, sql)
    for (const sql of ['select 1; select 2', 'delete from t; -- x\n drop table t', "select ''; drop table t"])
      assert.equal(faultEverywhere(sql)?.code, 'sql_several_statements', sql)
  })

  it('is judged by the dialect where dialects differ', () => {
    // To MySQL the first quote is escaped; to the others a second statement begins.
    const sql = `select 'a\\'; drop table t -- '`
    assert.equal(faultEverywhere(sql), undefined)
    assert.equal(faultOf(sql, POSTGRES), 'sql_several_statements')
    assert.deepEqual(parametersOf(sql, MYSQL), [])
  })

  it('takes no parameters of the database', () => {
    assert.equal(faultOf('select $1', POSTGRES), 'sql_syntax')
    assert.equal(faultOf('select ?', MYSQL), 'sql_syntax')
    for (const sql of ['select ?', 'select ?1', 'select @a', 'select $a'])
      assert.equal(faultOf(sql, SQLITE), 'sql_syntax', sql)
  })

  it('neither ends its transaction nor changes the session', () => {
    for (const sql of [
      'commit',
      'ROLLBACK',
      ' -- x\n set role admin',
      'begin',
      'attach "x" as y',
      'pragma x'
    ])
      assert.equal(faultEverywhere(sql)?.code, 'sql_statement_refused', sql)
    // MySQL runs such comments: the first word would be another than it seems.
    for (const sql of ['/*! set */ session x = 1', '/*M!50000 set*/ session x = 1'])
      assert.equal(faultOf(sql, MYSQL), 'sql_statement_refused', sql)
    assert.deepEqual(parametersOf('select /*+ hint */ :a /* ! */', MYSQL), ['a'])
  })

  it('is there, and is closed', () => {
    for (const sql of ['', ' ;', '-- nothing']) assert.equal(faultEverywhere(sql)?.code, 'sql_empty', sql)
    for (const sql of ["select 'a", 'select /* a', 'select "a'])
      assert.equal(faultEverywhere(sql)?.code, 'sql_syntax', sql)
  })
})

describe('a query by a program', () => {
  const cpuOf = (work: () => void) => {
    const before = process.cpuUsage()
    work()
    return process.cpuUsage(before).user
  }

  it('with many parameters, or comments in comments, is read in a moment', () => {
    const names = Array.from({ length: 30_000 }, (_, at) => `p${at}`)
    const sql = `select ${names.map((name) => `:${name}`).join()}`
    assert.ok(cpuOf(() => assert.deepEqual(parametersEverywhere(sql), names)) < 1_000_000)
    const comment = `${'/*'.repeat(100_000)}${'*/'.repeat(100_000)}`
    assert.ok(
      cpuOf(() => assert.deepEqual(parametersOf(`select 1 ${comment} + :a`, POSTGRES), ['a'])) < 1_000_000
    )
    assert.deepEqual(parametersOf('select /*/*/ :a', MYSQL), ['a'])
    assert.equal(faultOf('select /*/*/ :a', POSTGRES), 'sql_syntax')
  })

  it('is read in turns for all databases when its flow is saved', () => {
    const readInTurns = readEverywhere(`select ${'a, '.repeat(20_000)}:b`)
    let turns = 1
    while (readInTurns.next().done !== true) turns++
    assert.ok(turns > 3 * 40, `${turns} turns`)
  })
})
