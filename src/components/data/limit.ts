import { defineComponent } from '../../plugin-api.ts'
import { compileList, LIST_FIELD, listFaults, rowsOf } from './rows-of.ts'

/** Keeps some items of a list. */
export const limit = defineComponent({
  type: 'limit',
  title: 'Limit',
  description: 'Keeps the first items of a list, or the last ones.',
  category: 'Data',
  icon: 'list-numbers',
  keywords: ['take', 'head', 'tail', 'top', 'first', 'last', 'slice', 'skip', 'offset', 'truncate', 'page'],
  example: 'The first 10 of a sorted list: the ten largest orders.',
  effects: 'pure',
  fields: {
    count: {
      kind: 'number',
      title: 'How many',
      default: 10,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      integer: true
    },
    from: { kind: 'choice', title: 'From', choices: ['start', 'end'], default: 'start' },
    offset: {
      kind: 'number',
      title: 'Skip',
      help: 'How many are skipped first, counted from the same side.',
      default: 0,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      integer: true,
      placeholder: 'None'
    },
    ...LIST_FIELD
  },
  mainFields: ['count'],
  inputs: { data: { title: 'Data', type: 'any', help: 'A list.' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'These items, in the order in which they came.' } },
  check: listFaults,
  prepare: ({ path }) => compileList(path),
  run: ({ inputs, fields: { count, from, offset }, prepared }) => {
    const rows = rowsOf(inputs.data, prepared)
    const end = from === 'start' ? offset + count : rows.length - offset
    return { data: rows.slice(Math.max(0, from === 'start' ? offset : end - count), Math.max(0, end)) }
  }
})
