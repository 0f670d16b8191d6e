import {
  compilePath,
  defineComponent,
  type FieldFault,
  inTurns,
  type JsonValue,
  makeInTurns,
  pathFault,
  type Turns,
  type ValuePath
} from '../../plugin-api.ts'
import { aggregate as aggregated, OPERATIONS, type Operation } from './aggregates.ts'
import { groupRows } from './groups.ts'
import { columnOf } from './missing-key.ts'
import { namesTwice, pathListFaults } from './path-faults.ts'
import { WORK_PER_LOOKUP, WORK_PER_ROW } from './row-work.ts'
import { compileList, LIST_FIELD, listFaults, rowsOf } from './rows-of.ts'

/** Sums a list up, as a whole or by groups. */
export const aggregate = defineComponent({
  type: 'aggregate',
  title: 'Aggregate',
  description:
    'Sums a list up, as a whole or for each group of items that are alike: count, sum, average and others.',
  category: 'Data',
  icon: 'sum',
  keywords: [
    'group by',
    'summarize',
    'summarise',
    'total',
    'totals',
    'sum',
    'count',
    'average',
    'pivot',
    'statistics',
    'reduce'
  ],
  example: 'Grouped by customer, the count and the sum of total: one line for each customer.',
  effects: 'pure',
  fields: {
    group_by: {
      kind: 'list',
      title: 'Group by',
      help: 'Items that are alike in these keys are summed up together. None: all of them, to one object.',
      item: 'key',
      path: true,
      maxItems: 10
    },
    aggregates: {
      kind: 'rows',
      title: 'Calculate',
      help: 'Items without a value are left out, except by first, last and list.',
      item: 'value',
      maxItems: 30,
      columns: {
        operation: { title: 'Operation', choices: OPERATIONS },
        field: { title: 'Of', placeholder: 'total', path: true },
        as: { title: 'As', placeholder: 'sum_total' }
      },
      default: [{ operation: 'count' }]
    },
    ...LIST_FIELD
  },
  inputs: { data: { title: 'Data', type: 'any', help: 'A list.' } },
  outputs: {
    data: {
      title: 'Data',
      type: 'any',
      help: 'One object for each group, in the order in which they came; without groups, one object.'
    }
  },
  check: (fields) => {
    const faults = [
      ...pathListFaults('group_by', fields.group_by),
      ...aggregateFaults(fields.aggregates),
      ...listFaults(fields)
    ]
    return faults.length > 0 ? faults : nameFaults(fields.group_by, fields.aggregates)
  },
  prepare: ({ group_by, aggregates, path }) => ({
    keys: group_by.map(compilePath),
    columns: aggregates.map(readColumn),
    list: compileList(path)
  }),
  run: (step) => inTurns(summary(rowsOf(step.inputs.data, step.prepared.list), step.prepared), step)
})

interface Summary {
  readonly keys: readonly ValuePath[]
  readonly columns: readonly Column[]
}

function* summary(rows: readonly JsonValue[], { keys, columns }: Summary): Turns<{ data: JsonValue }> {
  const groups = yield* summedUp(rows, keys, columns)
  return { data: keys.length === 0 ? groups[0]! : groups }
}

interface GivenColumn {
  readonly operation: Operation
  readonly field: string
  readonly as: string
}

interface Column {
  readonly operation: Operation
  /** None: the items themselves. */
  readonly path: ValuePath | undefined
  readonly name: string
}

function readColumn({ operation, field, as }: GivenColumn): Column {
  const path = field.trim() === '' ? undefined : compilePath(field)
  const word = operation.replace(' ', '_')
  return { operation, path, name: as.trim() || (path === undefined ? word : `${word}_${path.name}`) }
}

/** One object for each group; without keys, one in any case. */
function* summedUp(
  rows: readonly JsonValue[],
  keys: readonly ValuePath[],
  columns: readonly Column[]
): Turns<Members[]> {
  const { of, firsts } = yield* groupRows(rows, keys)
  const count = keys.length === 0 ? 1 : firsts.length
  const members: Values[] = []
  for (const key of keys) members.push([key.name, yield* keyOfGroups(rows, key, firsts)])
  for (const { operation, path, name } of columns) {
    yield
    const values = path === undefined ? rows : yield* columnOf(rows, path)
    members.push([name, yield* aggregated(operation, { values, of, count, key: path?.text ?? 'the item' })])
  }
  return yield* objectsOf(members, count)
}

function keyOfGroups(
  rows: readonly JsonValue[],
  key: ValuePath,
  firsts: readonly number[]
): Turns<JsonValue[]> {
  const work = key.keys.length * WORK_PER_ROW
  return makeInTurns(firsts.length, work, (group) => key.read(rows[firsts[group]!]) ?? null)
}

/** The name of a member, and its value in each group. */
type Values = readonly [name: string, values: readonly JsonValue[]]

type Members = { [name: string]: JsonValue }

function objectsOf(columns: readonly Values[], count: number): Turns<Members[]> {
  // Written out first: a member called __proto__ is one like any other.
  const empty: Members = Object.fromEntries(columns.map(([name]) => [name, null]))
  return makeInTurns(count, WORK_PER_LOOKUP + columns.length * WORK_PER_ROW, (at) => {
    const object = { ...empty }
    for (const [name, values] of columns) object[name] = values[at]!
    return object
  })
}

/** Numbers and texts are summed up of a key; items themselves can only be counted and listed. */
const WITHOUT_FIELD: readonly Operation[] = ['count', 'first', 'last', 'list', 'unique count']

function aggregateFaults(aggregates: readonly GivenColumn[]): FieldFault[] {
  return aggregates.flatMap(({ operation, field }, at) => {
    if (field.trim() === '' && WITHOUT_FIELD.includes(operation)) return []
    const fault = pathFault(field)
    return fault === undefined ? [] : [{ field: 'aggregates', message: `Value ${at + 1}: ${fault}` }]
  })
}

function nameFaults(groupBy: readonly string[], aggregates: readonly GivenColumn[]): FieldFault[] {
  const names = [
    ...groupBy.map((key) => compilePath(key).name),
    ...aggregates.map((given) => readColumn(given).name)
  ]
  return namesTwice('aggregates', names)
}
