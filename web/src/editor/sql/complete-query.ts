export interface QueryTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

interface QueryOption {
  readonly label: string
  readonly detail: string
}

interface QueryCompletion {
  /** Where the word begins that is completed. */
  readonly from: number
  readonly options: readonly QueryOption[]
}

const WORD = /(?:([\p{L}_][\p{L}\p{N}_$]*)\.)?([\p{L}_][\p{L}\p{N}_$]*)?$/u

/**
 * What can stand at this place of a query: behind `orders.` its columns, where `orders` is a table or what the query
 * calls one; behind a colon the names of parameters; else tables, and columns of the tables that the query names.
 */
export function completeQuery(
  query: string,
  at: number,
  tables: readonly QueryTable[],
  parameters: readonly string[]
): QueryCompletion | undefined {
  const before = query.slice(0, at)
  const parameter = /(?<![:\w]):(\w*)$/.exec(before)
  if (parameter !== null) {
    const options = parameters.map((name) => ({ label: name, detail: 'parameter' }))
    return { from: at - parameter[1]!.length, options }
  }
  const [, owner, word = ''] = WORD.exec(before) ?? []
  const from = at - word.length
  if (owner !== undefined) {
    const table = tableCalled(owner, query, tables)
    return table === undefined ? undefined : { from, options: columnsOf(table) }
  }
  if (word === '') return undefined
  const named = tables.filter((table) => isNamedIn(query, table.name))
  const options = [
    ...named.flatMap(columnsOf),
    ...tables.map(({ name }) => ({ label: name, detail: 'table' }))
  ]
  return { from, options: [...new Map(options.map((option) => [option.label, option])).values()] }
}

function columnsOf({ columns }: QueryTable): QueryOption[] {
  return columns.map(({ name, type }) => ({ label: name, detail: type }))
}

function isNamedIn(query: string, table: string): boolean {
  return new RegExp(`(?<![\\w.])${escaped(table)}(?!\\w)`, 'i').test(query)
}

/** By its own name, or by the one that the query gives it: `orders o`, `orders as o`. */
function tableCalled(name: string, query: string, tables: readonly QueryTable[]): QueryTable | undefined {
  const isCalled = ({ name: table }: QueryTable) =>
    table.toLowerCase() === name.toLowerCase() ||
    new RegExp(`(?<![\\w.])${escaped(table)}\\s+(?:as\\s+)?${escaped(name)}(?!\\w)`, 'i').test(query)
  return tables.find(isCalled)
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
