import { atOnce, type Turns } from '../../plugin-api.ts'
import { DIALECTS, type Dialect } from './dialect.ts'
import { type Token, tokensOf } from './sql-lexer.ts'

/** One statement, with its parameters found. */
export interface SqlStatement {
  /** Text and names of parameters by turns, in the order of the query. */
  readonly pieces: readonly Piece[]
  /** Each name once. */
  readonly parameters: readonly string[]
  /** Its first word, in lower case. */
  readonly verb: string
  /** Whether a word that changes rows stands in it. */
  readonly hasChangeWord: boolean
}

interface Piece {
  readonly kind: 'text' | 'parameter'
  /** The text itself, or the name. */
  readonly value: string
  /** Where it stands in the query. */
  readonly at: number
}

interface StatementFault {
  readonly code: string
  readonly message: string
  /** Where it stands in the query. */
  readonly at: number
}

export class BadStatement extends Error {
  readonly fault: StatementFault

  constructor(fault: StatementFault) {
    super(fault.message)
    this.fault = fault
  }
}

/** What begins or ends a transaction, or outlasts the step on a session that others use after it. */
const REFUSED: readonly string[] = [
  ...['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release', 'xa'],
  ...['set', 'reset', 'discard', 'use', 'prepare', 'deallocate', 'listen', 'unlisten', 'lock', 'unlock'],
  ...['attach', 'detach', 'pragma', 'vacuum', 'delimiter', 'handler']
]

const CHANGE_WORD = /^(?:insert|update|delete|replace|merge)$/i

/** Throws a BadStatement. */
export function readStatement(sql: string, dialect: Dialect): SqlStatement {
  return atOnce(readStatementInTurns(sql, dialect))
}

/** After so many tokens there is a pause: a program may write a query of half a million. */
const TOKENS_IN_A_TURN = 1_000

function* readStatementInTurns(sql: string, dialect: Dialect): Turns<SqlStatement> {
  const pieces: Piece[] = []
  let from = 0
  let end: Token | undefined
  let first: string | undefined
  let hasChangeWord = false
  let count = 0
  for (const token of tokensOf(sql, dialect)) {
    if (++count % TOKENS_IN_A_TURN === 0) yield
    assertSound(token, sql)
    if (token.kind === 'space') {
      if (dialect.runsComments) assertNoCode(token, sql)
      continue
    }
    if (end !== undefined) throw new BadStatement(severalStatements(token.from))
    const word = token.kind === 'word' ? sql.slice(token.from, token.to) : undefined
    first ??= word
    hasChangeWord ||= word !== undefined && CHANGE_WORD.test(word)
    if (token.kind === 'semicolon') end = token
    else if (token.kind === 'parameter') {
      pieces.push({ kind: 'text', value: sql.slice(from, token.from), at: from })
      pieces.push({ kind: 'parameter', value: sql.slice(token.from + 1, token.to), at: token.from })
      from = token.to
    }
  }
  const verb = allowedVerb(first)
  pieces.push({ kind: 'text', value: sql.slice(from, end?.from), at: from })
  const names = pieces.flatMap(({ kind, value }) => (kind === 'parameter' ? [value] : []))
  return { pieces, parameters: [...new Set(names)], verb, hasChangeWord }
}

/**
 * What is wrong with the query whichever database it is for. Which one it is for is known only when a step runs: the
 * name of its connection may mean another database in another context.
 */
export function statementFault(readings: readonly Reading[]): StatementFault | undefined {
  return readings.every(({ fault }) => fault !== undefined) ? readings[0]!.fault : undefined
}

type Reading =
  | { readonly statement: SqlStatement; readonly fault?: undefined }
  | { readonly fault: StatementFault; readonly statement?: undefined }

/** As each database would read it. */
export function* readEverywhere(sql: string): Turns<readonly Reading[]> {
  const readings: Reading[] = []
  for (const dialect of Object.values(DIALECTS)) {
    yield
    try {
      readings.push({ statement: yield* readStatementInTurns(sql, dialect) })
    } catch (error) {
      if (!(error instanceof BadStatement)) throw error
      readings.push({ fault: error.fault })
    }
  }
  return readings
}

/** The names of all parameters, in whichever dialect they are some. */
export function parametersIn(readings: readonly Reading[]): string[] {
  const sound = readings.flatMap(({ statement }) => (statement === undefined ? [] : [statement.parameters]))
  // Only what is a parameter everywhere is surely one.
  const others = sound.slice(1).map((names) => new Set(names))
  return (sound[0] ?? []).filter((name) => others.every((names) => names.has(name)))
}

function assertSound(token: Token, sql: string): void {
  if (token.isOpen) {
    const opening = sql.slice(token.from, token.from + 10)
    throw new BadStatement({
      code: 'sql_syntax',
      at: token.from,
      message: `What begins here, ${opening} …, is never closed.`
    })
  }
  if (token.kind !== 'own-parameter') return
  const written = sql.slice(token.from, token.to)
  throw new BadStatement({
    code: 'sql_syntax',
    at: token.from,
    message: `${written} stands for no value here. Write parameters as :name, and say under Parameters what each is.`
  })
}

/** A comment that MySQL runs could hold what is refused below. */
function assertNoCode({ from }: Token, sql: string): void {
  if (!/^\/\*M?!/.test(sql.slice(from, from + 4))) return
  throw new BadStatement({
    code: 'sql_statement_refused',
    at: from,
    message: 'MySQL runs what is in a comment that begins with /*!. Write it without the comment.'
  })
}

function severalStatements(at: number): StatementFault {
  return {
    code: 'sql_several_statements',
    at,
    message:
      'A second statement begins here. A step runs one statement: give the second one a node of its own, or make one statement of both.'
  }
}

function allowedVerb(first: string | undefined): string {
  if (first === undefined)
    throw new BadStatement({ code: 'sql_empty', at: 0, message: 'There is no statement. Write one.' })
  const verb = first.toLowerCase()
  if (!REFUSED.includes(verb)) return verb
  throw new BadStatement({
    code: 'sql_statement_refused',
    at: 0,
    message: `A step cannot run ${first.toUpperCase()}: its one statement has a transaction of its own, on a session that other steps use after it.`
  })
}
