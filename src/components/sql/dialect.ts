/** What a database reads differently from the others, as far as it matters to somebody who looks for `:name`. */
export interface Dialect {
  readonly name: 'postgres' | 'mysql' | 'sqlite'
  /** A backslash in a text keeps the quote behind it from ending the text. */
  readonly backslashEscapes: boolean
  /** `$tag$ … $tag$` is a text. */
  readonly dollarQuotes: boolean
  /** A comment inside of a comment has to be closed, too. */
  readonly nestedComments: boolean
  /** `#` begins a comment; `--` does so only where white space follows. */
  readonly hashComments: boolean
  /** What is in a comment that begins with `/*!` is run. */
  readonly runsComments: boolean
  /** `[a name]` is an identifier. */
  readonly bracketNames: boolean
  /** What the database itself would take for a parameter, besides `:name`. */
  readonly ownParameter: RegExp
  /** A parameter as the driver writes it, by its number from 1. */
  readonly placeholder: (number: number) => string
  /** The same parameter may be named several times by its number. */
  readonly isNumbered: boolean
}

export const POSTGRES: Dialect = {
  name: 'postgres',
  backslashEscapes: false,
  dollarQuotes: true,
  nestedComments: true,
  hashComments: false,
  runsComments: false,
  bracketNames: false,
  ownParameter: /\$\d+/y,
  placeholder: (number) => `$${number}`,
  isNumbered: true
}

export const MYSQL: Dialect = {
  name: 'mysql',
  backslashEscapes: true,
  dollarQuotes: false,
  nestedComments: false,
  hashComments: true,
  runsComments: true,
  bracketNames: false,
  ownParameter: /\?/y,
  placeholder: () => '?',
  isNumbered: false
}

export const SQLITE: Dialect = {
  name: 'sqlite',
  backslashEscapes: false,
  dollarQuotes: false,
  nestedComments: false,
  hashComments: false,
  runsComments: false,
  bracketNames: true,
  ownParameter: /\?\d*|[@$][A-Za-z_]\w*/y,
  placeholder: (number) => `?${number}`,
  isNumbered: true
}

export const DIALECTS: Readonly<Record<Dialect['name'], Dialect>> = {
  postgres: POSTGRES,
  mysql: MYSQL,
  sqlite: SQLITE
}
