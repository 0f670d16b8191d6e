import {
  compilePath,
  defineComponent,
  inStretches,
  inTurns,
  type JsonValue,
  type Turns,
  type ValuePath
} from '../../plugin-api.ts'
import { type Groups, groupRows, groupValues } from './groups.ts'
import { pathListFaults } from './path-faults.ts'
import { WORK_PER_ROW } from './row-work.ts'
import { compileList, LIST_FIELD, listFaults, rowsOf } from './rows-of.ts'

/** Keeps one of the items that are alike. */
export const removeDuplicates = defineComponent({
  type: 'remove-duplicates',
  title: 'Remove duplicates',
  description: 'Keeps one of several items that are alike, as a whole or in some keys.',
  category: 'Data',
  icon: 'copy-x',
  keywords: ['distinct', 'unique', 'deduplicate', 'dedupe', 'uniq', 'repeated', 'double'],
  example: 'By email: of two entries with the same address, the first stays.',
  effects: 'pure',
  fields: {
    fields: {
      kind: 'list',
      title: 'Compare',
      help: 'Items that have the same values there are alike. None: those that are the same as a whole.',
      item: 'key',
      path: true,
      maxItems: 20
    },
    keep: { kind: 'choice', title: 'Keep', choices: ['first', 'last'], default: 'first' },
    ...LIST_FIELD
  },
  inputs: { data: { title: 'Data', type: 'any', help: 'A list.' } },
  outputs: {
    data: { title: 'Data', type: 'any', help: 'The items that stay, in the order in which they came.' },
    duplicates: { title: 'Duplicates', type: 'any', help: 'The items that were removed.' }
  },
  check: (fields) => [...pathListFaults('fields', fields.fields), ...listFaults(fields)],
  prepare: ({ fields, path }) => ({ keys: fields.map(compilePath), list: compileList(path) }),
  run: (step) => {
    const { keys, list } = step.prepared
    return inTurns(parted(rowsOf(step.inputs.data, list), keys, step.fields.keep === 'last'), step)
  }
})

function* parted(
  rows: readonly JsonValue[],
  keys: readonly ValuePath[],
  isLast: boolean
): Turns<{ data: JsonValue[]; duplicates: JsonValue[] }> {
  const groups = yield* keys.length === 0 ? groupValues(rows) : groupRows(rows, keys)
  const stays = yield* kept(groups, isLast)
  const [data, duplicates]: [JsonValue[], JsonValue[]] = [[], []]
  yield* inStretches(rows.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to; at++) (stays[at] === 1 ? data : duplicates).push(rows[at]!)
  })
  return { data, duplicates }
}

/** A one at each place that stays. */
function* kept({ of, firsts }: Groups, isLast: boolean): Turns<Uint8Array> {
  const stays = new Uint8Array(of.length)
  const places = isLast ? yield* lastsOf(of, firsts.length) : firsts
  yield* inStretches(places.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to; at++) stays[places[at]!] = 1
  })
  return stays
}

function* lastsOf(of: Uint32Array, count: number): Turns<Uint32Array> {
  const lasts = new Uint32Array(count)
  yield* inStretches(of.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to; at++) lasts[of[at]!] = at
  })
  return lasts
}
