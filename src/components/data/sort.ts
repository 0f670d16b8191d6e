import {
  compilePath,
  defineComponent,
  type FieldFault,
  inTurns,
  type JsonValue,
  pathFault
} from '../../plugin-api.ts'
import { compileList, LIST_FIELD, listFaults, rowsOf } from './rows-of.ts'
import { localeFault, type SortKey, sorted, textOrder } from './sorted.ts'

const DIRECTIONS = ['ascending', 'descending'] as const

/** Puts the items of a list in order. */
export const sort = defineComponent({
  type: 'sort',
  title: 'Sort',
  description:
    'Puts the items of a list in order, by one key or several. Items that are alike stay as they came.',
  category: 'Data',
  icon: 'sort',
  keywords: ['order', 'order by', 'arrange', 'rank', 'ascending', 'descending', 'rows', 'sort data'],
  example: 'By total, descending, then by name: the largest orders come first.',
  effects: 'pure',
  fields: {
    keys: {
      kind: 'rows',
      title: 'Sort by',
      help: 'The first that differs decides. None: by the items themselves, for lists of texts or numbers.',
      item: 'key',
      maxItems: 10,
      columns: {
        field: { title: 'Key', placeholder: 'order.total', path: true },
        direction: { title: 'Direction', choices: DIRECTIONS }
      }
    },
    ...LIST_FIELD,
    nulls: {
      kind: 'choice',
      title: 'Without a value',
      help: 'Where items stand that lack the key, or have null there, whatever the direction.',
      choices: ['last', 'first'],
      default: 'last',
      hidden: true
    },
    locale: {
      kind: 'text',
      title: 'Language',
      help: 'Texts in the order of this language, such as de or sv, without regard to upper and lower case; digits in them as numbers. Empty: by character.',
      placeholder: 'de',
      hidden: true
    }
  },
  inputs: { data: { title: 'Data', type: 'any', help: 'A list.' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'The list, in order.' } },
  check: (fields) => [...keyFaults(fields.keys), ...listFaults(fields), ...localeFaults(fields.locale)],
  prepare: ({ keys, path, locale, nulls }) => ({
    keys: keys.map(
      ({ field, direction }): SortKey => ({
        path: compilePath(field),
        isDescending: direction === 'descending'
      })
    ),
    list: compileList(path),
    texts: textOrder(locale),
    nullsFirst: nulls === 'first'
  }),
  run: (step) => inTurns(inOrder(rowsOf(step.inputs.data, step.prepared.list), step.prepared), step)
})

function* inOrder(rows: readonly JsonValue[], order: Parameters<typeof sorted>[1]) {
  return { data: yield* sorted(rows, order) }
}

function keyFaults(keys: readonly { readonly field: string }[]): FieldFault[] {
  for (const [at, { field }] of keys.entries()) {
    const fault = pathFault(field)
    if (fault !== undefined) return [{ field: 'keys', message: `Key ${at + 1}: ${fault}` }]
  }
  return []
}

function localeFaults(locale: string): FieldFault[] {
  const message = localeFault(locale)
  return message === undefined ? [] : [{ field: 'locale', message }]
}
