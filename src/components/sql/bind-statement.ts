import type { ExactNumber } from '../../plugin-api.ts'
import type { Dialect } from './dialect.ts'
import type { SqlStatement } from './read-statement.ts'

/** What goes to a database as the value of a parameter; lists and objects are JSON texts by then. */
export type SqlValue = null | boolean | number | string | ExactNumber

/** A statement as a driver takes it. */
export interface BoundStatement {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** Where the character of `text` came from. */
  placeInQuery(at: number): number
}

/** How a parameter is written; where it is left out, as the dialect writes it. */
type WriteParameter = (value: SqlValue, placeholder: string) => string

export function bindStatement(
  { pieces }: SqlStatement,
  valueFor: (name: string) => SqlValue,
  dialect: Dialect,
  write: WriteParameter = (_value, placeholder) => placeholder
): BoundStatement {
  const values: SqlValue[] = []
  const numbers = new Map<string, number>()
  const starts: { readonly from: number; readonly at: number }[] = []
  let text = ''
  for (const { kind, value: written, at } of pieces) {
    starts.push({ from: text.length, at })
    if (kind === 'text') text += written
    else {
      const value = valueFor(written)
      const known = dialect.isNumbered ? numbers.get(written) : undefined
      const number = known ?? values.push(value)
      numbers.set(written, number)
      text += write(value, dialect.placeholder(number))
    }
  }
  return {
    text,
    values,
    placeInQuery: (place) => {
      const start = starts.findLast(({ from }) => from <= place) ?? { from: 0, at: 0 }
      const piece = pieces[starts.indexOf(start)]
      return piece?.kind === 'parameter' ? start.at : start.at + (place - start.from)
    }
  }
}
