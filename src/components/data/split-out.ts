import {
  compilePath,
  defineComponent,
  type FieldFault,
  isPlainObject,
  type JsonValue,
  pathFault,
  StepError,
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
  run: ({ inputs, fields: { keep, as }, prepared: { list, members } }) => {
    const isList = Array.isArray(inputs.data)
    const items = rowsOf(inputs.data).flatMap((item, place) => {
      const elements = elementsOf(item, list, isList ? place : undefined)
      if (keep === 'elements only' || !isPlainObject(item)) return elements
      const kept = keep === 'all members' ? removePath(item, list) : chosen(item, members)
      return elements.map((element) => beside(kept, element, as.trim(), list.name))
    })
    return { data: items }
  }
})

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
