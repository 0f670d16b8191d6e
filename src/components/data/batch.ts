import { defineComponent, inTurns, type JsonValue, makeInTurns, pathFault } from '../../plugin-api.ts'
import { compileList, rowsOf } from './rows-of.ts'

/** Makes lists of a list. */
export const batch = defineComponent({
  type: 'batch',
  title: 'Batch',
  description: 'Cuts a list into lists of so many items, for what takes only so many at once.',
  category: 'Data',
  icon: 'layout-list',
  keywords: ['split in batches', 'pages', 'partition', 'group', 'bulk', 'slices'],
  example: '50,000 rows in batches of 500: a hundred inserts in place of 50,000.',
  effects: 'pure',
  fields: {
    size: {
      kind: 'number',
      title: 'Size',
      help: 'So many items in each; the last one has what is left.',
      default: 100,
      min: 1,
      max: 1_000_000,
      integer: true
    },
    field: {
      kind: 'text',
      title: 'List',
      help: 'Where the list is in the data, such as order.lines. Empty: the data itself.',
      placeholder: 'order.lines',
      path: true
    }
  },
  mainFields: ['size'],
  inputs: { data: { title: 'Data', type: 'any', help: 'A list.' } },
  outputs: { data: { title: 'Batches', type: 'any', help: 'A list of lists, in order.' } },
  check: ({ field }) => {
    const message = field.trim() === '' ? undefined : pathFault(field)
    return message === undefined ? [] : [{ field: 'field', message }]
  },
  prepare: ({ field }) => compileList(field),
  run: (step) => {
    const { size } = step.fields
    const rows = rowsOf(step.inputs.data, step.prepared)
    const count = Math.ceil(rows.length / size)
    const work = inTurns(
      makeInTurns(count, WORK_PER_BATCH + Math.min(size, rows.length), (at) => {
        return rows.slice(at * size, (at + 1) * size) as JsonValue[]
      }),
      step
    )
    return work instanceof Promise ? work.then((data) => ({ data })) : { data: work }
  }
})

/** What a list takes besides its items. */
const WORK_PER_BATCH = 16
