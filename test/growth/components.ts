import type { JsonValue } from '../../src/flows/json/exact-json.ts'

/** How a component is run on data of every shape. */
export interface Run {
  readonly fields: Readonly<Record<string, JsonValue>>
  /** What comes by its inputs; the data by `data` where this is left out. */
  readonly inputs?: (data: JsonValue) => Readonly<Record<string, unknown>>
}

/** What a component does elsewhere than in this thread, or with what readers.ts names. */
export interface Elsewhere {
  readonly elsewhere: string
}

const SORTED = { keys: ['a', { field: 'b', direction: 'descending' }] }
const asText = (data: JsonValue) => ({ text: typeof data === 'string' ? data : JSON.stringify(data) })

/**
 * Every component of the catalogue. Whatever is here, each field of each is also given every text and JSON that people can
 * write.
 */
export const COMPONENT_GROWTH: Readonly<Record<string, readonly Run[] | Elsewhere>> = {
  webhook: [{ fields: {} }],
  parser: [
    { fields: { template: '{a} {b:>10} {a}' }, inputs: (data) => ({ data }) },
    { fields: { mode: 'Stringify' }, inputs: (data) => ({ data }) }
  ],
  prompt: [{ fields: { template: '{a} and {b}' }, inputs: (data) => ({ a: data, b: 'x' }) }],
  'chat-input': [{ fields: {}, inputs: () => ({}) }],
  schedule: { elsewhere: 'starts runs with the time; its cron is a field' },
  'run-failed': [{ fields: {}, inputs: () => ({}) }],
  'chat-output': [{ fields: {}, inputs: (data) => ({ message: data, text: data, data }) }],
  'api-request': { elsewhere: 'readers: its address, headers, body, answer and pages' },
  'language-model': { elsewhere: 'readers: its prompt, history, schema and answer' },
  sql: { elsewhere: 'readers: its statement; the databases do the rest' },
  'send-email': { elsewhere: 'readers: its addresses and its mail' },
  'send-webhook': { elsewhere: 'readers: its secrets and signatures' },
  keep: { elsewhere: 'the store keeps it' },
  code: { elsewhere: 'in a sandbox, by its time and memory' },
  transform: {
    elsewhere: 'in a sandbox, by its time and memory; its expression is read when it is saved, as a field'
  },
  select: [{ fields: { mode: 'Keep all', fields: [{ field: 'a', as: 'name' }] } }],
  filter: [{ fields: { expression: 'data.b > 1' } }, { fields: { expression: 'has(data.a) && index > 2' } }],
  sort: [{ fields: SORTED }, { fields: { keys: [] } }],
  limit: [{ fields: {} }],
  'remove-duplicates': [{ fields: { fields: ['a'] } }, { fields: { fields: [], keep: 'last' } }],
  aggregate: [
    { fields: { group_by: ['a'], aggregates: [{ operation: 'sum', field: 'b', as: 'sum' }] } },
    { fields: { group_by: [], aggregates: [{ operation: 'median', field: 'b', as: 'm' }] } }
  ],
  join: [
    { fields: { keys: [{ left: 'b', right: 'b' }] }, inputs: (data) => ({ left: data, right: data }) },
    {
      fields: { keys: [{ left: 'at', right: 'at' }] },
      inputs: (data) => ({ left: data, right: [{ at: 7 }] })
    }
  ],
  'split-out': [
    { fields: { field: 'a', keep: 'all members' } },
    { fields: { field: '', keep: 'all members' }, inputs: (data) => ({ data: { a: data } }) }
  ],
  'split-text': [
    { fields: {}, inputs: asText },
    { fields: { mode: 'Lines', lines: 100, overlap: 99 }, inputs: asText },
    { fields: { mode: 'Length', length: 1_000, overlap: 500 }, inputs: asText }
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
    { fields: { mode: 'Base64 to text' } }
  ],
  date: [{ fields: { date: '{at}', format: 'EEEE, d. MMMM yyyy', timezone: 'Europe/Berlin', as: 'day' } }],
  hash: [{ fields: {} }, { fields: { text: '{a}', as: 'hash' } }],
  'random-id': [{ fields: { as: 'id' } }],
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
    { fields: { mode: 'Expression', expression: 'data.exists(x, x == 7.5)' } },
    { fields: { mode: 'Expression', expression: 'size(data) > 3 && data == data' } }
  ],
  switch: [
    { fields: { value: '{d}', cases: ['a', 'b', 'c', 'd'] }, inputs: (data) => ({ data: { d: data } }) }
  ],
  merge: [
    { fields: { mode: 'List' }, inputs: (data) => ({ in_1: data, in_2: data }) },
    { fields: { mode: 'Object' }, inputs: (data) => ({ in_1: data, in_2: data }) }
  ],
  'for-each': { elsewhere: 'starts a run for each item: the engine and the store, in turns' },
  'run-flow': { elsewhere: 'starts a run: the engine and the store' },
  stop: [{ fields: {} }],
  return: [{ fields: {} }],
  delay: { elsewhere: 'waits; its time is a field' },
  'wait-for-call': { elsewhere: 'waits; its time is a field' },
  approve: { elsewhere: 'waits; its question is a field' }
}
