import type { Fault } from '../../errors.ts'
import type { AnyComponent, Field, Fields } from '../component/component.ts'
import type { FlowNode } from '../document/flow-document.ts'
import type { Turns } from '../in-turns.ts'
import { escapePointer } from '../json/json-pointer.ts'

/**
 * In characters, as JSON. Most fields are read in one turn when a flow is saved; SQL, which takes a third of a second for so many, pauses
 * on its way. Code is not read before it runs, and then elsewhere.
 */
const MOST_OF_TEXT = 500_000
/** Lists and objects: a member takes longer to judge than its letters. */
const MOST_OF_MEMBERS = 100_000
const MOST_OF_CODE = 1_000_000
/** Of all fields that are read. */
const MOST_OF_ALL = 1_000_000

/** What is too long about the value of a field, or undefined: known before anything is read of it. */
export function tooLong(field: Field, value: unknown): string | undefined {
  const most = mostOf(field)
  return holds(field, value) && lengthOf(value, most) > most ? inWordsOf(field, value) : undefined
}

/** What is too long in a document: fields by themselves, or all of them together. To count a large object takes long: it is done once. */
export function* lengthFaults(
  nodes: readonly FlowNode[],
  find: (type: string) => AnyComponent | undefined
): Turns<Fault[]> {
  const faults: Fault[] = []
  let sum = 0
  for (const [index, node] of nodes.entries()) {
    yield
    const known = (find(node.type)?.fields ?? {}) as Fields
    for (const [name, value] of Object.entries(node.fields)) {
      const field = Object.hasOwn(known, name) ? known[name]! : undefined
      if (field === undefined || !holds(field, value)) continue
      const length = lengthOf(value, mostOf(field))
      if (length > mostOf(field)) faults.push(tooLongFault({ node, index, name, field, value }))
      else if (!isCode(field)) sum += length
    }
  }
  return faults.length > 0 || sum <= MOST_OF_ALL ? faults : [tooMuchFault(sum)]
}

interface LongField {
  readonly node: FlowNode
  readonly index: number
  readonly name: string
  readonly field: Field
  readonly value: unknown
}

function tooLongFault({ node, index, name, field, value }: LongField): Fault {
  return {
    code: 'invalid_field',
    path: `/nodes/${index}/fields/${escapePointer(name)}`,
    node: node.id,
    field: name,
    message: `Field "${name}" of node "${node.id}" ${inWordsOf(field, value)}`
  }
}

function tooMuchFault(sum: number): Fault {
  const message = `The fields of all nodes have ${inWords(sum)} characters. A flow has at most ${inWords(MOST_OF_ALL)}, besides code: split it into several flows, which Run Flow joins, or let long texts come in as data.`
  return { code: 'invalid_shape', path: '/nodes', message }
}

function inWordsOf(field: Field, value: unknown): string {
  const what = typeof value === 'string' ? `, not ${inWords(value.length)}` : ' as JSON'
  return `takes ${inWords(mostOf(field))} characters at most${what}. Shorten it, or let it come in as data.`
}

/** What is of another kind is refused for that. */
function holds({ kind }: Field, value: unknown): boolean {
  if (kind === 'list' || kind === 'rows') return Array.isArray(value)
  return kind === 'json' || typeof value === 'string'
}

function mostOf(field: Field): number {
  if (isCode(field)) return MOST_OF_CODE
  return ['list', 'rows', 'json'].includes(field.kind) ? MOST_OF_MEMBERS : MOST_OF_TEXT
}

function isCode(field: Field): boolean {
  return field.kind === 'text' && field.language === 'javascript'
}

/** The length as JSON, or nearly; where it is more than `most`, something more than that. */
function lengthOf(value: unknown, most: number): number {
  // A text alone has no quotes in the eyes of whoever writes it.
  if (typeof value === 'string') return value.length
  let length = 0
  const rest: unknown[] = [value]
  while (rest.length > 0 && length <= most) {
    const next = rest.pop()
    length += ownLength(next)
    if (length > most) return length
    for (const member of membersOf(next)) rest.push(member)
  }
  return length
}

/** Without that of its members. */
function ownLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (Array.isArray(value)) return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  return Object.keys(value).reduce((sum, name) => sum + name.length + 4, 2)
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

function inWords(count: number): string {
  return count.toLocaleString('en')
}
