import {
  compilePath,
  defineComponent,
  type FieldFault,
  inTurns,
  isPlainObject,
  type JsonValue,
  pathFault,
  StepError,
  type Turns,
  type ValuePath
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { missingKey } from './missing-key.ts'
import { pathListFaults } from './path-faults.ts'
import { removePath } from './remove-path.ts'
import { rowsOf } from './rows-of.ts'

/** Makes an item of each element of a list inside. */
export const splitOut = defineComponent({
  type: 'split-out',
  title: 'Split out',
  description:
    'Makes an item of each element of a list that stands inside the data, with or without what stands around it.',
  category: 'Data',
  icon: 'layout-list',
  keywords: [
    'explode',
    'unnest',
    'unwind',
    'flatten',
    'item lists',
    'split array',
    'expand',
    'lines',
    'flatmap'
  ],
  example: 'lines of an order: one item for each line, with the number of its order.',
  effects: 'pure',
  fields: {
    field: {
      kind: 'text',
      title: 'List',
      help: 'Where the list is, such as order.lines. Of a list of objects, in each of them.',
      placeholder: 'lines',
      path: true
    },
    keep: {
      kind: 'choice',
      title: 'Keep',
      help: 'Elements only; with everything that stands around the list; or with the members named below.',
      choices: ['elements only', 'all members', 'these members'],
      default: 'elements only'
    },
    members: {
      kind: 'list',
      title: 'These members',
      help: 'Kept with each element, by their last name.',
      item: 'member',
      path: true,
      maxItems: 100
    },
    as: {
      kind: 'text',
      title: 'Element as',
      help: 'What the element is called beside the members that are kept. Empty: members of an element that is an object stand beside them, another one is called like the list.',
      placeholder: 'line',
      hidden: true
    }
  },
  inputs: { data: { title: 'Data', type: 'any', help: 'An object, or a list of them.' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'One item for each element.' } },
  check: ({ field, members }) => [...fieldFaults(field), ...pathListFaults('members', members)],
  prepare: ({ field, members }) => ({ list: compilePath(field), members: members.map(compilePath) }),
  run: (step) => inTurns(split(step.inputs.data, { ...step.fields, ...step.prepared }), step)
})

/** Elements that are put together before others have their turn. */
const ELEMENTS_PER_TURN = 200

interface SplitRules {
  readonly list: ValuePath
  readonly keep: string
  readonly members: readonly ValuePath[]
  readonly as: string
}

function* split(data: JsonValue | undefined, rules: SplitRules): Turns<{ data: JsonValue[] }> {
  const items: JsonValue[] = []
  for (const [place, item] of rowsOf(data).entries()) {
    const elements = elementsOf(item, rules.list, Array.isArray(data) ? place : undefined)
    const kept = elements.length === 0 ? undefined : keptOf(item, rules)
    for (const element of elements) {
      items.push(kept === undefined ? element : beside(kept, element, rules.as.trim(), rules.list.name))
      if (items.length % ELEMENTS_PER_TURN === 0) yield
    }
  }
  return { data: items }
}

/** What stands beside each element. */
function keptOf(item: JsonValue, { keep, list, members }: SplitRules): Item | undefined {
  if (keep === 'elements only' || !isPlainObject(item)) return undefined
  return keep === 'all members' ? removePath(item, list) : chosen(item, members)
}

type Item = { [key: string]: JsonValue }

/** Null is a list without elements. */
function elementsOf(item: JsonValue, list: ValuePath, place: number | undefined): JsonValue[] {
  const value = list.read(item)
  if (Array.isArray(value)) return value
  if (value === null) return []
  if (value === undefined) throw missingKey(list, item, place)
  const where = place === undefined ? '' : ` of item ${place}`
  throw new StepError(
    `"${list.text}"${where} is ${describe(value)}, and only a list can be split out. Name one, or make it a list before.`,
    {
      code: 'not_a_list',
      retryable: false
    }
  )
}

function beside(kept: Item, element: JsonValue, as: string, name: string): Item {
  if (as === '' && isPlainObject(element)) return { ...kept, ...element }
  return { ...kept, [as || name]: element }
}

function chosen(item: Item, members: readonly ValuePath[]): Item {
  return Object.fromEntries(members.map((path) => [path.name, path.read(item) ?? null]))
}

function fieldFaults(field: string): FieldFault[] {
  const message = pathFault(field)
  return message === undefined ? [] : [{ field: 'field', message }]
}
