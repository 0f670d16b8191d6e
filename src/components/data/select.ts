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
import { mapInTurns } from './map-in-turns.ts'
import { missingKey } from './missing-key.ts'
import { namesTwice } from './path-faults.ts'
import { removePath, removePaths } from './remove-path.ts'
import { compileList, LIST_FIELD, listFaults, rowsOf } from './rows-of.ts'
import { setMember } from './set-member.ts'
import { WORK_PER_MEMBER, widthOf } from './width-of.ts'

const MODES = ['Keep', 'Keep all', 'Remove'] as const
const MISSING = ['fail', 'null', 'leave out'] as const

/** Chooses members of objects, and renames them. */
export const select = defineComponent({
  type: 'select',
  title: 'Select and rename',
  description:
    'Keeps the members of an object that are named, or removes them, and gives them other names. Of a list, in each item.',
  category: 'Data',
  icon: 'columns',
  keywords: [
    'set',
    'edit fields',
    'rename keys',
    'pick',
    'omit',
    'map',
    'columns',
    'change',
    'project',
    'flatten',
    'select keys'
  ],
  example: 'customer.name as name, and total: all else is left behind.',
  effects: 'pure',
  fields: {
    mode: {
      kind: 'choice',
      title: 'Mode',
      help: 'Keep: only these, in this order. Keep all: everything, with these renamed. Remove: everything but these.',
      choices: MODES,
      default: 'Keep'
    },
    fields: {
      kind: 'rows',
      title: 'Members',
      item: 'member',
      maxItems: 200,
      columns: {
        field: { title: 'Member', placeholder: 'customer.name', path: true },
        as: { title: 'As', placeholder: 'its own name' }
      }
    },
    ...LIST_FIELD,
    missing: {
      kind: 'choice',
      title: 'Where it is absent',
      help: 'Fail, put null there, or leave it out of the result.',
      choices: MISSING,
      default: 'fail',
      hidden: true
    }
  },
  inputs: { data: { title: 'Data', type: 'any', help: 'An object, or a list of them.' } },
  outputs: { data: { title: 'Data', type: 'any', help: 'The object, or the list, with these members.' } },
  check: (fields) => [...memberFaults(fields), ...listFaults(fields)],
  prepare: ({ mode, fields, path, missing }) => {
    const members = fields.map(memberOf)
    const selection: Selection = { mode, missing, members, paths: members.map((member) => member.path) }
    return { selection, list: compileList(path) }
  },
  run: (step) => {
    const { data } = step.inputs
    const { selection, list } = step.prepared
    if (list === undefined && isPlainObject(data) && !Array.isArray(data.rows))
      return { data: selected(data, selection) }
    return inTurns(selectedRows(rowsOf(data, list), selection), step)
  }
})

interface Member {
  readonly path: ValuePath
  readonly as: string
}

interface Selection {
  readonly mode: (typeof MODES)[number]
  readonly missing: (typeof MISSING)[number]
  readonly members: readonly Member[]
  /** Of the members. */
  readonly paths: readonly ValuePath[]
}

type Item = { [key: string]: JsonValue }

function memberOf({ field, as }: { readonly field: string; readonly as: string }): Member {
  const path = compilePath(field)
  return { path, as: as.trim() || path.name }
}

function* selectedRows(rows: readonly JsonValue[], selection: Selection): Turns<{ data: JsonValue[] }> {
  const { mode, members } = selection
  const work = (1 + members.length) * WORK_PER_MEMBER
  // Each that stands inside of others takes a copy of its own.
  const copies = 3 + members.filter(({ path }) => path.keys.length > 1).length
  return {
    data: yield* mapInTurns(
      rows,
      (row, place) => selected(row, selection, place),
      // What is kept alone is read, and no more of the row is looked at.
      mode === 'Keep' ? () => work : (row) => work + widthOf(row) * copies * WORK_PER_MEMBER
    )
  }
}

/** `place` is where the item stands in its list. */
function selected(item: JsonValue, selection: Selection, place?: number): Item {
  if (!isPlainObject(item)) throw notAnObject(item, place)
  const { mode, members } = selection
  if (mode === 'Remove')
    return removePaths(
      item,
      members.map(({ path }) => path)
    )
  const named = chosen(item, selection, place)
  return mode === 'Keep' ? Object.fromEntries(named) : renamed(item, members, named)
}

function chosen(item: Item, { members, missing }: Selection, place?: number): [string, JsonValue][] {
  return members.flatMap(({ path, as }): [string, JsonValue][] => {
    const value = path.read(item)
    if (value !== undefined) return [[as, value]]
    if (missing === 'fail') throw missingHere(path, item, place)
    return missing === 'null' ? [[as, null]] : []
  })
}

/** What is renamed stays where it was, so that tables keep the order of their columns; what stood inside comes last. */
function renamed(item: Item, members: readonly Member[], named: readonly [string, JsonValue][]): Item {
  const names = new Map(members.map(({ path, as }) => [path.text, as]))
  const taken = new Set(named.map(([as]) => as))
  const rest = members.reduce(
    (left, { path }) => (Object.hasOwn(item, path.text) ? left : removePath(left, path)),
    item
  )
  const found: Item = {}
  for (const name in rest)
    if (names.has(name) || !taken.has(name)) setMember(found, names.get(name) ?? name, rest[name]!)
  for (const [as, value] of named) setMember(found, as, value)
  return found
}

function missingHere(path: ValuePath, item: Item, place?: number): StepError {
  const { message, code } = missingKey(path, item, place)
  return new StepError(
    `${message} Correct the name, or choose under "Where it is absent" what is to become of it.`,
    { code, retryable: false }
  )
}

function notAnObject(item: JsonValue, place?: number): StepError {
  const where = place === undefined ? 'The data' : `Item ${place}`
  return new StepError(
    `${where} is ${describe(item)}, and only objects have members. Send objects, or filter others out before.`,
    {
      code: 'not_an_object',
      retryable: false
    }
  )
}

function memberFaults({
  mode,
  fields
}: {
  readonly mode: string
  readonly fields: readonly { readonly field: string; readonly as: string }[]
}): FieldFault[] {
  if (fields.length === 0) return [{ field: 'fields', message: 'It names no member. Add one.' }]
  for (const [at, { field }] of fields.entries()) {
    const fault = pathFault(field)
    if (fault !== undefined) return [{ field: 'fields', message: `Member ${at + 1}: ${fault}` }]
  }
  return mode === 'Remove'
    ? []
    : namesTwice(
        'fields',
        fields.map((given) => memberOf(given).as)
      )
}
