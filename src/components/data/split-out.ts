import {
  compilePath,
  defineComponent,
  type FieldFault,
  inTurns,
  isPlainObject,
  type JsonValue,
  type OutputLimit,
  outputTooLarge,
  pathFault,
  StepError,
  type Turns,
  type ValuePath,
  WorkMeter
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { missingKey } from './missing-key.ts'
import { pathListFaults } from './path-faults.ts'
import { removePath } from './remove-path.ts'
import { WORK_PER_LOOKUP } from './row-work.ts'
import { rowsOf } from './rows-of.ts'
import { WORK_PER_MEMBER, widthOf } from './width-of.ts'

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
  mainFields: ['field'],
  inputs: { data: { title: 'Data', type: 'any', help: 'An object, or a list of them.' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'One item for each element.' } },
  check: ({ field, members }) => [...fieldFaults(field), ...pathListFaults('members', members)],
  prepare: ({ field, members }) => ({ list: compilePath(field), members: members.map(compilePath) }),
  run: (step) =>
    inTurns(split(step.inputs.data, { ...step.fields, ...step.prepared }, step.outputLimit), step)
})

interface SplitRules {
  readonly list: ValuePath
  readonly keep: string
  readonly members: readonly ValuePath[]
  readonly as: string
}

function* split(
  data: JsonValue | undefined,
  rules: SplitRules,
  limit: OutputLimit
): Turns<{ data: JsonValue[] }> {
  const items: JsonValue[] = []
  const meter = new WorkMeter()
  let members = 0
  for (const [place, item] of rowsOf(data).entries()) {
    const elements = elementsOf(item, rules.list, Array.isArray(data) ? place : undefined)
    const kept = elements.length === 0 ? undefined : keptOf(item, rules)
    const width = kept === undefined ? 0 : widthOf(kept)
    // Members that are kept with each element may be many times what came.
    members += width * elements.length
    if (members * LEAST_MEMBER > limit.bytes)
      throw outputTooLarge(limit, { advice: 'Keep fewer members, or split out fewer elements at once' })
    if (meter.isTurnOver(WORK_PER_LOOKUP + width * WORK_PER_MEMBER)) yield
    const put = kept === undefined ? itself : besides(kept, rules)
    for (const element of elements) {
      items.push(put(element))
      if (meter.isTurnOver(WORK_PER_LOOKUP + (width + widthOf(element)) * WORK_PER_MEMBER)) yield
    }
  }
  return { data: items }
}

/** In characters of JSON, which a member has at the least: a name in quotes, a colon and a comma. */
const LEAST_MEMBER = 5

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

function itself(element: JsonValue): JsonValue {
  return element
}

function besides(kept: Item, { as, list }: SplitRules): (element: JsonValue) => Item {
  const name = as.trim()
  return (element) =>
    name === '' && isPlainObject(element)
      ? { ...kept, ...element }
      : { ...kept, [name || list.name]: element }
}

function chosen(item: Item, members: readonly ValuePath[]): Item {
  return Object.fromEntries(members.map((path) => [path.name, path.read(item) ?? null]))
}

function fieldFaults(field: string): FieldFault[] {
  const message = pathFault(field)
  return message === undefined ? [] : [{ field: 'field', message }]
}
