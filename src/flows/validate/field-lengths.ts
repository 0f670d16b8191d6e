import type { Fault } from '../../errors.ts'
import type { AnyComponent, Field, Fields } from '../component/component.ts'
import type { FlowNode } from '../document/flow-document.ts'

/**
 * In characters, as JSON. Fields are read in one turn when a flow is saved: the dearest of them, SQL and templates of nothing but
 * placeholders, took 40 ms for so many, and three seconds for as many as a document can have. Code is not read before it runs, and then elsewhere.
 */
const MOST_OF_FIELD = 100_000
const MOST_OF_CODE = 1_000_000
/** Of all fields that are read. */
const MOST_OF_ALL = 1_000_000

/** What is too long about the value of a field, or undefined: known before anything is read of it. */
export function tooLong(field: Field, value: unknown): string | undefined {
  const most = mostOf(field)
  if (!holds(field, value)) return undefined
  if (lengthOf(value, most) <= most) return undefined
  const what = typeof value === 'string' ? `, not ${inWords(value.length)}` : ' as JSON'
  return `takes ${inWords(most)} characters at most${what}. Shorten it, or let it come in as data.`
}

/** The fault of a document that has too much in the fields of all nodes. A field that is too long by itself is told by itself. */
export function tooMuchInAll(
  nodes: readonly FlowNode[],
  find: (type: string) => AnyComponent | undefined
): Fault | undefined {
  let sum = 0
  for (const { type, fields } of nodes) {
    const known = (find(type)?.fields ?? {}) as Fields
    for (const name in fields) {
      if (!Object.hasOwn(known, name) || isCode(known[name]!)) continue
      const length = lengthOf(fields[name], MOST_OF_FIELD)
      if (length <= MOST_OF_FIELD) sum += length
    }
  }
  if (sum <= MOST_OF_ALL) return undefined
  const message = `The fields of all nodes have ${inWords(sum)} characters. A flow has ${inWords(MOST_OF_ALL)} at most, besides code: make several flows of it, which Run Flow joins, or let long texts come in as data.`
  return { code: 'invalid_shape', path: '/nodes', message }
}

/** What is of another kind is refused for that. */
function holds({ kind }: Field, value: unknown): boolean {
  if (kind === 'list' || kind === 'rows') return Array.isArray(value)
  return kind === 'json' || typeof value === 'string'
}

function mostOf(field: Field): number {
  return isCode(field) ? MOST_OF_CODE : MOST_OF_FIELD
}

function isCode(field: Field): boolean {
  return field.kind === 'text' && field.language === 'javascript'
}

/** The length as JSON, or nearly; where it is more than `most`, something more than that. */
function lengthOf(value: unknown, most: number): number {
  let length = 0
  const rest: unknown[] = [value]
  while (rest.length > 0 && length <= most) {
    const next = rest.pop()
    if (typeof next === 'string') length += next.length + 2
    else if (typeof next !== 'object' || next === null) length += 4
    else {
      const members = Object.entries(next)
      length += 2 + members.length
      if (length > most) break
      const names = Array.isArray(next) ? 0 : 3
      for (const [name, member] of members) {
        length += names && names + name.length
        rest.push(member)
      }
    }
  }
  // A text alone has no quotes in the eyes of whoever writes it.
  return typeof value === 'string' ? length - 2 : length
}

function inWords(count: number): string {
  return count.toLocaleString('en')
}
