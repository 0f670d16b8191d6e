import { compilePath, defineComponent, type FieldFault, inTurns, pathFault } from '../../plugin-api.ts'
import { CLASHES, JOINS, joined } from './joined.ts'
import { rowsOf } from './rows-of.ts'

/** Brings the items of two lists together that belong to each other. */
export const join = defineComponent({
  type: 'join',
  title: 'Join',
  description:
    'Brings the items of two lists together that have the same value in a key, as a database does.',
  category: 'Data',
  icon: 'join',
  keywords: [
    'merge by key',
    'lookup',
    'enrich',
    'inner join',
    'left join',
    'outer join',
    'match',
    'vlookup',
    'relate'
  ],
  example:
    'Orders on the left, customers on the right, by customer_id: each order gets the name of its customer.',
  effects: 'pure',
  fields: {
    keys: {
      kind: 'rows',
      title: 'Where these are equal',
      help: 'A key of the left list and one of the right; the same name where the right one is empty. 7 and "7" are equal; null equals nothing.',
      item: 'key',
      maxItems: 10,
      columns: {
        left: { title: 'Left', placeholder: 'customer_id', path: true, input: 'left' },
        right: { title: 'Right', placeholder: 'id', path: true, input: 'right' }
      }
    },
    mode: {
      kind: 'choice',
      title: 'Keep',
      help: 'Inner: pairs only. Left, Right: all of that side, with or without its other half. Outer: all of both. Left only: those of the left that have none.',
      choices: JOINS,
      default: 'Inner'
    },
    clash: {
      kind: 'choice',
      title: 'Members of the same name',
      help: 'Both: the right one is called right_name. Left, Right: only that one stays.',
      choices: CLASHES,
      default: 'Both',
      hidden: true
    }
  },
  inputs: {
    left: { title: 'Left', type: 'any', help: 'A list of objects.' },
    right: { title: 'Right', type: 'any', help: 'A list of objects.' }
  },
  outputs: {
    data: { title: 'Data', type: 'any', help: 'One object for each pair, in the order of the left list.' }
  },
  check: ({ keys }) => keyFaults(keys),
  prepare: ({ keys, mode, clash }) => ({
    mode,
    clash,
    left: keys.map(({ left }) => compilePath(left)),
    right: keys.map(({ left, right }) => compilePath(right.trim() === '' ? left : right))
  }),
  run: (step) =>
    inTurns(
      joined(
        {
          left: rowsOf(step.inputs.left, undefined, 'left'),
          right: rowsOf(step.inputs.right, undefined, 'right')
        },
        step.prepared,
        step.outputLimit
      ),
      step
    )
})

function keyFaults(keys: readonly { readonly left: string; readonly right: string }[]): FieldFault[] {
  if (keys.length === 0) return [{ field: 'keys', message: 'It names no key. Add one that both lists have.' }]
  for (const [at, { left, right }] of keys.entries()) {
    const fault = pathFault(left) ?? (right.trim() === '' ? undefined : pathFault(right))
    if (fault !== undefined) return [{ field: 'keys', message: `Key ${at + 1}: ${fault}` }]
  }
  return []
}
