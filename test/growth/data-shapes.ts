import { type JsonValue, parseJson } from '../../src/flows/json/exact-json.ts'

/** Data as senders can make it, by what is extreme about it; n items or what takes as much. */
export const DATA_SHAPES: Readonly<Record<string, (n: number) => JsonValue>> = {
  'equal rows': (n) => Array.from({ length: n }, () => ({ a: 'x', b: 1, at: '2026-11-18T02:25:16Z' })),
  'distinct rows': (n) => Array.from({ length: n }, (_, at) => ({ a: `v${at}`, b: at, at })),
  'distinct keys': (n) => Array.from({ length: n }, (_, at) => ({ [`k${at}`]: at })),
  'empty rows': (n) => Array.from({ length: n }, () => ({})),
  nulls: (n) => new Array(n).fill(null),
  'exact numbers': (n) => parseJson(`[${'1234567890123456.10,'.repeat(n)}1]`),
  'rows of exact numbers': (n) => parseJson(`[${'{"a":1.10,"b":9007199254740993},'.repeat(n)}{}]`),
  'rows of lists': (n) =>
    Array.from({ length: Math.ceil(n / 100) }, (_, at) => ({ a: new Array(100).fill('x'), b: at })),
  texts: (n) => Array.from({ length: n }, (_, at) => `text ${at % 100}`),
  'a wide object': (n) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, at])),
  'a deep list': () => parseJson(`${'['.repeat(900)}${']'.repeat(900)}`),
  'deep objects': () => parseJson(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`),
  'a long text': (n) => 'a'.repeat(25 * n),
  'escaped text': (n) => '"\\\n\u0000'.repeat(6 * n),
  'empty lines': (n) => '\n'.repeat(25 * n),
  spaces: (n) => `a${' '.repeat(25 * n)}b`,
  delimiters: (n) => 'a,'.repeat(12 * n),
  'rows of CSV': (n) => `a,b\n${'1,2\n'.repeat(6 * n)}`,
  'quotes of CSV': (n) => `a\n"${'""'.repeat(12 * n)}"`,
  'an open quote': (n) => `"${'""a'.repeat(8 * n)}`,
  'JSON of exact numbers': (n) => `[${'1.10,'.repeat(n / 2)}1]`,
  digits: (n) => '1'.repeat(25 * n),
  Base64: (n) => 'QUJD'.repeat(6 * n)
}

/** Of more than a thousand members, objects are kept in another way, which takes longer for each. */
const wideRow = (members: number): { [key: string]: JsonValue } =>
  Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, at]))

/** The worst for some: what is large about it is an item, a number or how it compares, and not how many there are. */
export const HEAVY_SHAPES: Readonly<Record<string, (n: number) => JsonValue>> = {
  'wide rows': (n) => Array.from({ length: 24 }, () => ({ a: 1, b: { c: 1 }, ...wideRow(n / 4) })),
  'rows of many objects': (n) =>
    Array.from({ length: 120 }, () => ({ a: Array.from({ length: n / 10 }, () => ({})), b: 1 })),
  'a megabyte of empty rows': (n) => Array.from({ length: 16 * n }, () => ({})),
  'powers of ten': (n) => parseJson(`[${'{"a":1e999,"b":1e-999},'.repeat(n)}{}]`),
  'texts of numbers': (n) => Array.from({ length: 4 * n }, () => '1.0'),
  'rows of texts of numbers': (n) => Array.from({ length: 2 * n }, (_, at) => ({ a: `${at}.0`, b: '2.50' })),
  'many digits': (n) =>
    Array.from({ length: n / 8 }, (_, at) => ({ a: `x${'9'.repeat(210)}${(at * 7919) % n}`, b: at })),
  'digits and a letter': (n) => [`${'9'.repeat(25 * n)}x`],
  'long numbers': (n) =>
    parseJson(`[${Array.from({ length: n / 10 }, (_, at) => '9'.repeat(480) + at).join()}]`),
  'a row for each': (n) => Array.from({ length: 2 * n }, (_, at) => ({ a: at, b: 1 })),
  'four megabytes of spaces': (n) => ' '.repeat(200 * n),
  'JSON of empty objects': (n) => `[${'{},'.repeat(50 * n)}1]`,
  'a line of a megabyte': (n) => `a,"${'\n'.repeat(50 * n)}"`,
  'a plain line of a megabyte': (n) => 'ä'.repeat(50 * n),
  'plus signs': (n) => `a=${'+'.repeat(200 * n)}`,
  'bytes that are no text': (n) => '%80'.repeat(70 * n),
  'names of a form': (n) => Array.from({ length: 20 * n }, (_, at) => `k${at}`).join('&'),
  'texts of one name': (n) => ({ '': new Array(50 * n).fill('') }),
  'lists without anything': (n) =>
    Object.fromEntries(Array.from({ length: 4 * n }, (_, at) => [`k${at}`, []])),
  'a long element': (n) => ({ a: { '@a': '"<'.repeat(20 * n), '#text': '<\u0001'.repeat(100 * n) } }),
  attributes: (n) => ({ a: Object.fromEntries(Array.from({ length: 4 * n }, (_, at) => [`@k${at}`, '"'])) }),
  'one row of long cells': (n) => [
    { a: '"'.repeat(100 * n), b: Array.from({ length: 16 * n }, () => ({})), c: ' '.repeat(100 * n) }
  ]
}

/** What people can write into a field of text. */
export const TEXT_SHAPES: Readonly<Record<string, (n: number) => string>> = {
  letters: (n) => 'a'.repeat(n),
  spaces: (n) => ' '.repeat(n),
  lines: (n) => '\n'.repeat(n),
  'opening braces': (n) => '{'.repeat(n),
  'escaped braces': (n) => '{{}}'.repeat(n / 4),
  'equal fields': (n) => '{a}'.repeat(n / 3),
  'distinct fields': (n) => Array.from({ length: n / 8 }, (_, at) => `{k${at}}`).join(''),
  'a long path': (n) => `{a${'.a'.repeat(n / 2)}}`,
  'places of a list': (n) => `{a${'[0]'.repeat(n / 3)}}`,
  'a long format': (n) => `{a:${'<'.repeat(n)}}`,
  'context variables': (n) => '{$a}'.repeat(n / 4),
  links: (n) => '{$resume_url.a}'.repeat(n / 16),
  brackets: (n) => '('.repeat(n / 2) + ')'.repeat(n / 2),
  'square brackets': (n) => '['.repeat(n),
  quotes: (n) => `"'`.repeat(n / 2),
  backslashes: (n) => '\\'.repeat(n),
  'letters of dates': (n) => 'EEEE '.repeat(n / 5),
  stars: (n) => '* '.repeat(n / 2),
  commas: (n) => '1,'.repeat(n / 2),
  parameters: (n) => Array.from({ length: n / 8 }, (_, at) => `:p${at} `).join(''),
  comments: (n) => '/*'.repeat(n / 4) + '*/'.repeat(n / 4),
  'open comments': (n) => '/*'.repeat(n / 2),
  'dollar quotes': (n) => '$a$ '.repeat(n / 4),
  'steps of JSONata': (n) => '$.a'.repeat(n / 3),
  digits: (n) => '9'.repeat(n),
  addresses: (n) => 'a@b.c, '.repeat(n / 7),
  'angle brackets': (n) => '<a '.repeat(n / 3),
  dashes: (n) => '-'.repeat(n)
}

/** What people can write into a field of JSON. */
export const JSON_SHAPES: Readonly<Record<string, (n: number) => JsonValue>> = {
  'a wide object': (n) => Object.fromEntries(Array.from({ length: n / 20 }, (_, at) => [`k${at}`, '{a}'])),
  'a long list': (n) => new Array(n / 4).fill('{a}'),
  'a deep list': () => parseJson(`${'['.repeat(900)}${']'.repeat(900)}`),
  'exact numbers': (n) => parseJson(`[${'1.10,'.repeat(n / 5)}1]`),
  'a long text': (n) => ({ a: '{a}'.repeat(n / 3) }),
  rows: (n) =>
    Array.from({ length: n / 20 }, (_, at) => ({ field: `f${at}`, as: 'a', left: 'a', right: 'b' })),
  'a schema': (n) => ({ allOf: Array.from({ length: n / 20 }, (_, at) => ({ required: [`k${at}`] })) })
}

/** Text in which every letter, or nearly, is written by several, or is what secrets are written with. */
export const ESCAPED_SHAPES: Readonly<Record<string, (n: number) => string>> = {
  percent: (n) => '%73'.repeat(n / 3),
  'percent twice over': (n) => '%2573'.repeat(n / 5),
  unicode: (n) => '\\u0073'.repeat(n / 6),
  slashes: (n) => '\\/'.repeat(n / 2),
  backslashes: (n) => '\\\\'.repeat(n / 2),
  entities: (n) => '&#x73;'.repeat(n / 6),
  'long entities': (n) => '&#x0000000073;'.repeat(n / 14),
  names: (n) => '&amp;'.repeat(n / 5),
  'names of names': (n) => '&amp;amp;'.repeat(n / 9),
  'all of them': (n) => '%73\\u0065&#99;\\x72&amp;'.repeat(n / 23),
  'spaced beginnings': (n) => 'a secr etof some=\n lengt '.repeat(n / 26),
  'lines of Base64': (n) => 'YSBzZWNyZXQgb2Ygc29t\r\n'.repeat(n / 22),
  'spaced secrets': (n) => 'a secret\n ofsome length '.repeat(n / 25),
  'beginnings of secrets': (n) => 'a secret of some lengt'.repeat(n / 22),
  'escaped beginnings': (n) => '%61 secret of some lengt'.repeat(n / 24),
  Base64: (n) => 'YSBzZWNyZXQgb2Ygc29tZSBsZW5nd'.repeat(n / 29),
  hex: (n) => '61207365637265'.repeat(n / 14)
}

/** What people can write into a field that lists texts. */
export const LIST_SHAPES: Readonly<Record<string, (n: number) => string[]>> = {
  equal: (n) => new Array(n).fill('a'),
  distinct: (n) => Array.from({ length: n }, (_, at) => `k${at}`),
  empty: (n) => new Array(n).fill(''),
  'a long path': (n) => [`a${'.a'.repeat(n / 2)}`],
  'long paths': (n) => new Array(50).fill(`a${'.a'.repeat(n / 200)}`),
  'distinct long ones': (n) => Array.from({ length: 50 }, (_, at) => `${'a'.repeat(n / 100)}${at}`)
}

/** The same for one that lists rows of these columns. */
export function rowShapes(columns: readonly string[]): Readonly<Record<string, (n: number) => JsonValue[]>> {
  const row = (text: string) => Object.fromEntries(columns.map((column) => [column, text]))
  return {
    ...Object.fromEntries(
      Object.entries(LIST_SHAPES).map(([name, make]) => [name, (n: number) => make(n / 4).map(row)])
    ),
    'rows without anything': (n) => Array.from({ length: n / 4 }, () => ({})),
    'rows of a few members': (n) =>
      Array.from({ length: n / 4 }, (_, at) => ({ [columns.at(-1)!]: `k${at}` })),
    'unknown members': (n) => [Object.fromEntries(Array.from({ length: n / 8 }, (_, at) => [`k${at}`, '']))]
  }
}
