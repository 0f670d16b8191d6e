import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { describeValue } from '../../../../src/flows/template/describe-value.ts'
import { printValue } from '../../../../src/flows/template/format-value.ts'
import { cutText } from '../../../../src/flows/template/quote-text.ts'
import { makeStep, readStep, type Scope } from '../../../../src/flows/template/read-path.ts'
import { completeTime } from './complete-time.ts'
import { openPlaceholder } from './open-placeholder.ts'
import { stepText } from './template-path.ts'
import { scopesOf } from './template-scopes.ts'

interface Completion {
  /** The key as it is. */
  readonly label: string
  /** What takes the place of `from` to `to`: the key as a template writes it. */
  readonly insert: string
  readonly from: number
  readonly to: number
  /** What the value is, in words. */
  readonly detail: string
  /** How it begins. */
  readonly sample: string
}

interface Completions {
  /** Where the key that is being typed begins. */
  readonly from: number
  readonly options: readonly Completion[]
}

const MAX_OPTIONS = 500
const SAMPLE_LENGTH = 40

/** What the flow says that there will be, where no run has shown it. */
export interface Declared {
  readonly keys: Scope
  readonly variables: Scope
}

const NOTHING: Declared = { keys: {}, variables: {} }

/**
 * What can be written at the cursor: the keys that the last payload has there, and after them, at the root, the variables of
 * the context; behind a time its formats. Undefined where the cursor is not in the path of a placeholder.
 */
export function completeTemplate(
  source: string,
  cursor: number,
  payload: JsonValue | undefined,
  variables: Scope = {},
  declared: Declared = NOTHING
): Completions | undefined {
  const time = timeOf(source, cursor, variables)
  if (time !== undefined) return time
  const open = openPlaceholder(source, cursor)
  if (open === undefined) return undefined
  const isRoot = open.keys.length === 0
  const containers = [
    ...variablesAt(variables, open.keys),
    ...scopesOf(payload).map((scope) => reach(scope, open.keys))
  ]
  const values = new Map<string | number, JsonValue>(isRoot ? variableEntries(variables) : [])
  for (const container of containers) {
    for (const [key, value] of entriesOf(container)) if (!values.has(key)) values.set(key, value)
    if (values.size > MAX_OPTIONS) break
  }
  const seen = new Set(values.keys())
  for (const [key, value] of declaredAt(declared, open.keys)) if (!values.has(key)) values.set(key, value)
  const to = open.isBracket && source[cursor] === ']' ? cursor + 1 : cursor
  const isNamedHere = (key: string | number) =>
    isRoot && (isVariable(key, variables) || isVariable(key, declared.variables))
  const options = keysFirst([...values].slice(0, MAX_OPTIONS), isNamedHere).flatMap(
    ([key, value]): Completion[] => {
      const isNamed = isNamedHere(key)
      const insert = isNamed ? String(key) : stepText(key, isRoot)
      if (insert === undefined) return []
      const label = String(key)
      const shown = seen.has(key)
        ? { detail: describeValue(value), sample: sampleOf(value) }
        : { detail: 'no value yet', sample: '' }
      return [{ label, insert, from: open.stepFrom, to, ...shown }]
    }
  )
  return { from: open.keyFrom, options }
}

/** What came is written more often than what is always there. */
function keysFirst<T>(
  values: readonly (readonly [string | number, T])[],
  isNamed: (key: string | number) => boolean
): (readonly [string | number, T])[] {
  const [keys, names] = [false, true].map((side) => values.filter(([key]) => isNamed(key) === side))
  return [...keys!, ...names!]
}

function declaredAt({ keys, variables }: Declared, path: readonly string[]): [string | number, JsonValue][] {
  const inside = [...variablesAt(variables, path), reach(keys, path)].flatMap(entriesOf)
  return path.length === 0 ? [...variableEntries(variables), ...inside] : inside
}

function timeOf(source: string, cursor: number, { now }: Scope): Completions | undefined {
  const at = typeof now === 'string' ? Date.parse(now) : 0
  const found = completeTime(source.slice(0, cursor), at)
  if (found === undefined) return undefined
  const { from } = found
  const options = found.options.map(({ label, sample }) => ({
    label,
    insert: label,
    from,
    to: cursor,
    detail: 'format',
    sample: at === 0 ? '' : sample
  }))
  return { from, options }
}

function variableEntries(variables: Scope): [string, JsonValue][] {
  return Object.entries(variables).map(([name, value]) => [`$${name}`, value])
}

/** What a variable holds: `{$resume.` goes on with the nodes that have an address. */
function variablesAt(variables: Scope, [root = '', ...keys]: readonly string[]): (JsonValue | undefined)[] {
  return isVariable(root, variables) ? [reach(variables, [root.slice(1), ...keys])] : []
}

function isVariable(key: string | number, variables: Scope): boolean {
  return typeof key === 'string' && key.startsWith('$') && Object.hasOwn(variables, key.slice(1))
}

function reach(scope: JsonValue | Scope, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = scope as JsonValue
  for (const key of keys) {
    if (value === undefined) return undefined
    value = readStep(value, makeStep(key, 0))
  }
  return value
}

function entriesOf(container: JsonValue | undefined): [string | number, JsonValue][] {
  if (isPlainObject(container)) return Object.entries(container)
  return Array.isArray(container) ? container.slice(0, 20).map((item, index) => [index, item]) : []
}

function sampleOf(value: JsonValue): string {
  try {
    return cutText(printValue(value), SAMPLE_LENGTH)
  } catch {
    return ''
  }
}
