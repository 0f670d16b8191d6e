import {
  compilePath,
  defineComponent,
  inTurns,
  type JsonValue,
  type Turns,
  type ValuePath
} from '../../plugin-api.ts'
import { type Groups, groupRows, groupValues } from './groups.ts'
import { pathListFaults } from './path-faults.ts'
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
  const stays = kept(yield* keys.length === 0 ? groupValues(rows) : groupRows(rows, keys), isLast)
  return {
    data: rows.filter((_, place) => stays.has(place)),
    duplicates: rows.filter((_, place) => !stays.has(place))
  }
}

/** The places of those that stay. */
function kept({ of, firsts }: Groups, isLast: boolean): Set<number> {
  if (!isLast) return new Set(firsts)
  const lasts = new Map<number, number>()
  for (const [place, group] of of.entries()) lasts.set(group, place)
  return new Set(lasts.values())
}
