import type { JsonValue } from '../../src/flows/json/exact-json.ts'
import { equalTo } from './shapes.ts'

/** How a component is run on data of every shape. */
export interface Run {
  readonly fields: Readonly<Record<string, JsonValue>>
  /** What comes by its inputs; the data by `data` where this is left out. */
  readonly inputs?: (data: JsonValue) => Readonly<Record<string, unknown>>
  /** Names of the shapes that it is run on; all that are not heavy where this is left out. */
  readonly on?: readonly string[]
}

/** What a component does elsewhere than in this thread, or with what readers.ts names. */
export interface Elsewhere {
  readonly elsewhere: string
}

/** A run for each of the choices of a field. */
function each(
  choices: readonly string[],
  on: readonly string[],
  fieldsOf: (choice: string, at: number) => Run['fields'],
  inputs?: Run['inputs']
): Run[] {
  return choices.map((choice, at) => ({ fields: fieldsOf(choice, at), on, ...(inputs && { inputs }) }))
}

const WIDE = ['wide rows', 'rows of many objects']
const TEXTS = [...WIDE, 'texts of numbers', 'four megabytes of spaces', 'a line of a megabyte']
const DATES = ['years', 'quarters', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds']
const ONE_SIDED = ['is empty', 'is not empty', 'is true', 'is false']
const OPERATORS = [
  'equals',
  'does not equal',
  'contains',
  'does not contain',
  'starts with',
  'ends with',
  'matches'
]
const ORDERS = ['is greater than', 'is at least', 'is less than', 'is at most']
const inObject = (data: JsonValue) => ({ data: { d: data, e: equalTo(data) } })

const SORTED = { keys: ['a', { field: 'b', direction: 'descending' }] }
const asText = (data: JsonValue) => ({ text: typeof data === 'string' ? data : JSON.stringify(data) })

/**
 * Every component of the catalogue. Whatever is here, each field of each is also given every text and JSON that people can
 * write.
 */
export const COMPONENT_GROWTH: Readonly<Record<string, readonly Run[] | Elsewhere>> = {
  webhook: [{ fields: {} }],
  form: [{ fields: {} }],
  parser: [
    { fields: { template: '{a} {b:>10} {a}' }, inputs: (data) => ({ data }) },
    { fields: { mode: 'Stringify' }, inputs: (data) => ({ data }) },
    { fields: { mode: 'Stringify' }, on: ['rows of many objects', 'a megabyte of empty rows'] }
  ],
  prompt: [{ fields: { template: '{a} and {b}' }, inputs: (data) => ({ a: data, b: 'x' }) }],
  'chat-input': [
    { fields: {}, inputs: () => ({}) },
    { fields: { text: '{a} {b:>10} {a}' }, inputs: (data) => ({ data }) }
  ],
  schedule: { elsewhere: 'starts runs with the time; its cron is a field' },
  watch: { elsewhere: 'readers: its list; its fields are read as those of API Request and Schedule' },
  'run-failed': [{ fields: {}, inputs: () => ({}) }],
  'chat-output': [
    { fields: {}, inputs: (data) => ({ message: data, text: data, data }) },
    { fields: { session: '{id?}' }, inputs: (data) => ({ text: data }) }
  ],
  'api-request': { elsewhere: 'readers: its address, headers, body, answer and pages' },
  'api-operation': { elsewhere: 'readers: its values and parameters; the rest as API Request' },
  respond: [
    { fields: {} },
    { fields: { body: 'All: {d}' }, inputs: inObject },
    { fields: { body: '{{"all": {d}, "text": "{e}"}}' }, inputs: inObject },
    { fields: { body: { all: '{d}' } }, inputs: inObject }
  ],
  agent: { elsewhere: 'readers: as Language Model; arguments and results are held by the schema, in turns' },
  'language-model': { elsewhere: 'readers: its prompt, history, schema and answer' },
  'knowledge-write': { elsewhere: 'readers: its text, which is cut into pieces; a thread reads their words' },
  'knowledge-search': { elsewhere: 'readers: the words of a question, in a thread of its own' },
  'mcp-tools': { elsewhere: 'readers: answers of MCP servers' },
  'mcp-call': { elsewhere: 'readers: answers of MCP servers; its arguments as the parameters of SQL' },
  sql: { elsewhere: 'readers: its statement; the databases do the rest' },
  'send-email': { elsewhere: 'readers: its addresses and its mail' },
  'send-webhook': { elsewhere: 'readers: its secrets and signatures' },
  keep: { elsewhere: 'the store keeps it' },
  placeholder: { elsewhere: 'it never runs: no flow with one is published' },
  code: { elsewhere: 'in a sandbox, by its time and memory' },
  transform: {
    elsewhere: 'in a sandbox, by its time and memory; its expression is read when it is saved, as a field'
  },
  select: [
    { fields: { mode: 'Keep all', fields: [{ field: 'a', as: 'name' }] } },
    ...each(['Keep', 'Keep all', 'Remove'], WIDE, (mode, at) => ({
      mode,
      missing: ['fail', 'null', 'leave out'][at]!,
      fields: ['a', 'b.c', 'k1', 'k2', 'k3', 'k4'].map((field) => ({ field, as: '' }))
    }))
  ],
  filter: [
    { fields: { expression: 'data.b > 1' } },
    { fields: { expression: 'has(data.a) && index > 2 || compare(data, "contains", "x")' } }
  ],
  sort: [
    { fields: SORTED },
    { fields: { keys: [] } },
    {
      fields: { keys: [], nulls: 'first' },
      on: ['texts of numbers', 'digits and a letter', 'long numbers', 'wide rows']
    },
    {
      fields: { keys: [{ field: 'a', direction: 'ascending' }], locale: 'de' },
      on: ['many digits', 'rows of texts of numbers']
    }
  ],
  limit: [{ fields: {} }, { fields: { from: 'end' }, on: ['wide rows'] }],
  'remove-duplicates': [
    { fields: { fields: ['a'] } },
    { fields: { fields: [], keep: 'last' } },
    { fields: { fields: [] }, on: [...WIDE, 'a megabyte of empty rows'] }
  ],
  aggregate: [
    { fields: { group_by: ['a'], aggregates: [{ operation: 'sum', field: 'b', as: 'sum' }] } },
    ...each(
      ['sum', 'average', 'min', 'max'],
      ['powers of ten', 'rows of texts of numbers', 'many digits', 'wide rows'],
      (operation) => ({ group_by: [], aggregates: [{ operation, field: 'a', as: 'x' }] })
    ),
    ...each(
      ['count', 'first', 'last', 'list', 'unique count'],
      ['a megabyte of empty rows', 'rows of many objects'],
      (operation) => ({ group_by: [], aggregates: [{ operation, field: '', as: 'x' }] })
    ),
    {
      fields: {
        group_by: ['a'],
        aggregates: Array.from({ length: 30 }, (_, at) => ({ operation: 'first', field: 'a', as: `x${at}` }))
      },
      on: ['a row for each', 'rows of many objects']
    }
  ],
  join: [
    { fields: { keys: [{ left: 'b', right: 'b' }] }, inputs: (data) => ({ left: data, right: data }) },
    {
      fields: { keys: [{ left: 'at', right: 'at' }] },
      inputs: (data) => ({ left: data, right: [{ at: 7 }] })
    },
    ...each(
      ['Inner', 'Left', 'Right', 'Outer', 'Left only'],
      WIDE,
      (mode, at) => ({ keys: [{ left: 'b', right: 'b' }], mode, clash: ['Both', 'Left', 'Right'][at % 3]! }),
      (data) => ({ left: Array.from({ length: 1_000 }, () => ({ b: { c: 1 } })), right: data })
    ),
    {
      fields: { keys: [{ left: 'a', right: 'a' }] },
      inputs: (data) => ({ left: data, right: data }),
      on: WIDE
    }
  ],
  'split-out': [
    { fields: { field: 'a', keep: 'all members' } },
    { fields: { field: 'a', keep: 'all members' }, inputs: (data) => ({ data: { a: data } }) },
    ...each(['elements only', 'all members', 'these members'], WIDE, (keep) => ({
      field: 'a',
      keep,
      members: ['b']
    })),
    {
      fields: { field: 'l', keep: 'all members' },
      inputs: (data) => ({
        data: { ...(data as unknown as object[])[0], l: new Array(1_000).fill(1) }
      }),
      on: ['wide rows']
    }
  ],
  batch: [
    { fields: {} },
    { fields: { size: 1 }, on: ['wide rows', 'a megabyte of empty rows', 'powers of ten'] }
  ],
  html: [{ fields: {}, inputs: (data) => ({ data: JSON.stringify(data) }) }],
  'extract-text': { elsewhere: 'in a process of its own, by its time and memory' },
  'split-text': [
    { fields: {}, inputs: asText },
    { fields: { mode: 'Lines', lines: 100, overlap: 99 }, inputs: asText },
    { fields: { mode: 'Length', length: 1_000, overlap: 500 }, inputs: asText },
    ...each(
      ['Separator', 'Lines', 'Length'],
      ['four megabytes of spaces'],
      // The smallest of them has to be cut as well.
      (mode) => ({ mode, separator: ' ', length: 900_000, trim: false }),
      asText
    )
  ],
  convert: [
    { fields: { mode: 'JSON to data' } },
    { fields: { mode: 'Data to JSON', indent: 2 } },
    { fields: { mode: 'CSV to rows' } },
    { fields: { mode: 'CSV to rows', header: false, uneven: true } },
    { fields: { mode: 'Rows to CSV' } },
    { fields: { mode: 'To text' } },
    { fields: { mode: 'To number' } },
    { fields: { mode: 'To date', timezone: 'Europe/Berlin' } },
    { fields: { mode: 'Text to Base64' } },
    { fields: { mode: 'Base64 to text' } },
    ...each(['auto', ',', ';', 'tab', '|'], ['a line of a megabyte'], (delimiter) => ({
      mode: 'CSV to rows',
      delimiter,
      failures: 'null'
    })),
    { fields: { mode: 'Data to XML', indent: 2 } },
    ...each(
      ['XML to data', 'HTML to text', 'HTML to Markdown', 'Markdown to HTML', 'Feed to items'],
      [...WIDE, 'texts of numbers', 'four megabytes of spaces'],
      (mode) => ({ mode, failures: 'null' })
    ),
    ...each(
      ['Form to data', 'URL encode', 'URL decode'],
      [...TEXTS, 'plus signs', 'bytes that are no text', 'names of a form'],
      (mode) => ({ mode, failures: 'null' })
    ),
    {
      fields: { mode: 'Data to form' },
      on: ['a wide object', 'texts of one name', 'lists without anything', 'a long element']
    },
    { fields: { mode: 'Data to XML' }, on: ['a long element', 'attributes'] },
    { fields: { mode: 'Rows to CSV' }, on: ['one row of long cells'] },
    { fields: { mode: 'CSV to rows' }, on: ['a plain line of a megabyte'] },
    { fields: { mode: 'JSON to data' }, on: ['JSON of empty objects'] },
    { fields: { mode: 'To text' }, on: ['rows of many objects'] },
    { fields: { mode: 'To number' }, on: ['texts of numbers', 'digits and a letter'] },
    { fields: { mode: 'Base64 to text' }, on: ['four megabytes of spaces'] }
  ],
  date: [
    { fields: { date: '{at}', format: 'EEEE, d. MMMM yyyy', timezone: 'Europe/Berlin', as: 'day' } },
    ...each(DATES, ['wide rows'], (unit, at) => ({
      operation: ['Format', 'Add', 'Subtract', 'Difference', 'Start of', 'End of'][at % 6]!,
      date: '2026-11-18',
      unit,
      as: 'day'
    }))
  ],
  hash: [
    { fields: {} },
    { fields: { text: '{a}', as: 'hash' } },
    ...each(['sha256', 'sha384', 'sha512', 'sha1', 'md5'], ['rows of many objects'], (algorithm, at) => ({
      algorithm,
      encoding: ['hex', 'base64', 'base64url'][at % 3]!
    })),
    { fields: {}, inputs: (data) => ({ data: { data } }), on: WIDE }
  ],
  'random-id': [
    { fields: { as: 'id' } },
    ...each(['UUID v4', 'UUID v7', 'Short id', 'Digits'], ['wide rows'], (kind) => ({ kind, as: 'id' }))
  ],
  'if-else': [
    {
      fields: { left: '{d}', operator: 'contains', right: '7.5' },
      inputs: (data) => ({ data: { d: data } })
    },
    { fields: { left: '{d}', operator: 'equals', right: '{d}' }, inputs: (data) => ({ data: { d: data } }) },
    {
      fields: { left: '{d}', operator: 'contains', right: '{d}x' },
      inputs: (data) => ({ data: { d: data } })
    },
    {
      fields: { left: '{d}', operator: 'matches', right: '^(\\w+\\s?)*$' },
      inputs: (data) => ({ data: { d: data } })
    },
    ...each(
      [...OPERATORS, ...ORDERS, ...ONE_SIDED],
      ['empty rows'],
      (operator) => ({ left: '{d}', operator, right: '{e}' }),
      inObject
    ),
    ...each(
      ['equals', 'matches', 'is greater than', 'is true'],
      ['a megabyte of empty rows'],
      (operator) => ({ left: '{d}', operator, right: '{e}' }),
      inObject
    ),
    {
      fields: { left: '{d}', operator: 'contains', right: '[{{}},{{}}]' },
      inputs: inObject,
      on: ['rows of many objects']
    },
    { fields: { mode: 'Expression', expression: 'data.exists(x, x == 7.5)' } },
    { fields: { mode: 'Expression', expression: 'size(data) > 3 && data == data' } }
  ],
  switch: [
    { fields: { value: '{d}', cases: ['a', 'b', 'c', 'd'] }, inputs: (data) => ({ data: { d: data } }) },
    { fields: { value: '{d}', cases: ['[]'] }, inputs: inObject, on: ['a megabyte of empty rows'] }
  ],
  merge: [
    { fields: { mode: 'List' }, inputs: (data) => ({ in_1: data, in_2: data }) },
    ...each(
      ['Combine', 'Append'],
      ['wide rows', 'a wide object'],
      (mode) => ({ mode }),
      (data) => ({
        in_1: data,
        in_2: data
      })
    )
  ],
  repeat: {
    elsewhere:
      'starts a run for each round: the engine and the store, in turns; its condition is that of If-Else'
  },
  'for-each': { elsewhere: 'starts a run for each item: the engine and the store, in turns' },
  'run-flow': { elsewhere: 'starts a run: the engine and the store' },
  stop: [{ fields: {} }],
  return: [{ fields: {} }],
  delay: { elsewhere: 'waits; its time is a field' },
  'wait-for-call': { elsewhere: 'waits; its time is a field' },
  approve: { elsewhere: 'waits; its question is a field' }
}
