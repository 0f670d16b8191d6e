import { type Expression, parseExpression } from './parse-expression.ts'
import { NotAnExpression } from './tokens.ts'

/** What an expression of n8n reads, where that is all that it does. */
export type Meaning =
  /** Of the item that the node works on. */
  | { readonly kind: 'own'; readonly path: readonly string[] }
  /** Of the item of another node. */
  | { readonly kind: 'node'; readonly node: string; readonly path: readonly string[] }
  /** The time, by a format. */
  | { readonly kind: 'now'; readonly format: string }
  /** Something of the run or the flow, by its name in templates. */
  | { readonly kind: 'run'; readonly name: string }
  /** What the workflow was called there. */
  | { readonly kind: 'workflow'; readonly what: 'id' | 'name' }
  /** A variable of the context. */
  | { readonly kind: 'variable'; readonly name: string }
  /** What a model fills in. */
  | { readonly kind: 'asked'; readonly name: string; readonly description: string; readonly type: string }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'fallback'; readonly of: Meaning; readonly text: string }

/** Undefined where it computes. Throws NotAnExpression where it cannot be read. */
export function meaningOf(source: string): Meaning | undefined {
  return meaning(parseExpression(source))
}

/** Whether it can be read at all. */
export function isExpression(source: string): boolean {
  try {
    parseExpression(source)
    return true
  } catch (error) {
    if (error instanceof NotAnExpression) return false
    throw error
  }
}

function meaning(read: Expression): Meaning | undefined {
  if (read.kind === 'literal') return { kind: 'literal', text: read.value == null ? '' : String(read.value) }
  if (read.kind === 'binary') return fallback(read)
  if (read.kind === 'call') return timeOf(read) ?? askedOf(read) ?? textOfNow(read) ?? pathMeaning(read)
  return pathMeaning(read)
}

/** `a ?? 'none'`, and `a || 'none'`, which is nearly the same. */
function fallback({ sign, left, right }: Expression & { kind: 'binary' }): Meaning | undefined {
  if ((sign !== '??' && sign !== '||') || right.kind !== 'literal') return undefined
  const of = meaning(left)
  if (of === undefined || (of.kind !== 'own' && of.kind !== 'node')) return undefined
  return { kind: 'fallback', of, text: right.value == null ? '' : String(right.value) }
}

function pathMeaning(read: Expression): Meaning | undefined {
  const steps = stepsOf(read)
  if (steps === undefined) return undefined
  const [{ root, given }, ...rest] = steps
  const keys = rest.map(({ root: key }) => key)
  if (rest.some(({ given }) => given !== undefined && given.length > 0)) return undefined
  if (given !== undefined) return root === '$' || root === '$items' ? ofNode(given, rest) : undefined
  if (root === '$json' || root === '$data') return areKeys(rest) ? { kind: 'own', path: keys } : undefined
  if (root === '$input') return ofItems(rest, (path) => ({ kind: 'own', path }))
  if (root === '$node' && rest.length > 0) {
    const [node, json, ...path] = rest
    const isItem = /^(?:json|data)$/.test(json?.root ?? '') && areKeys(rest)
    return isItem ? { kind: 'node', node: node!.root, path: path.map(({ root: key }) => key) } : undefined
  }
  return areKeys(rest) ? ofRun(root, keys) : undefined
}

interface Step {
  readonly root: string
  /** Undefined where it is no call. */
  readonly given: readonly Expression[] | undefined
}

/** `$('X').first().json.a` as `$`, called with 'X'; `first`, called; `json`; `a`. */
function stepsOf(read: Expression): [Step, ...Step[]] | undefined {
  if (read.kind === 'name') return [{ root: read.name, given: undefined }]
  if (read.kind === 'member') {
    const before = stepsOf(read.of)
    return before && [...before, { root: read.key, given: undefined }]
  }
  if (read.kind !== 'call') return undefined
  const called = stepsOf(read.of)
  const last = called?.at(-1)
  if (called === undefined || last === undefined || last.given !== undefined) return undefined
  const ended: Step = { root: last.root, given: read.given }
  const [first = ended, ...rest] = [...called.slice(0, -1), ended]
  return [first, ...rest]
}

function areKeys(steps: readonly Step[]): boolean {
  return steps.every(({ given }) => given === undefined)
}

function ofNode([named]: readonly Expression[], steps: readonly Step[]): Meaning | undefined {
  if (named?.kind !== 'literal' || typeof named.value !== 'string') return undefined
  const node = named.value
  return ofItems(steps, (path) => ({ kind: 'node', node, path }))
}

/** What of all items is read: of one alone its JSON. */
function ofItems(steps: readonly Step[], made: (path: string[]) => Meaning): Meaning | undefined {
  const [first, json, ...rest] = steps
  if (first === undefined || json?.root !== 'json' || json.given !== undefined || !areKeys(rest))
    return undefined
  const isCalled = first.given !== undefined
  const isOne = isCalled
    ? first.root === 'first' || first.root === 'last'
    : first.root === 'item' || first.root === '0'
  return isOne ? made(rest.map(({ root }) => root)) : undefined
}

const OF_RUN: Readonly<Record<string, string>> = { '$execution.id': 'run.id' }
const OF_WORKFLOW: Readonly<Record<string, 'id' | 'name'>> = {
  '$workflow.id': 'id',
  '$workflow.name': 'name'
}

function ofRun(root: string, keys: readonly string[]): Meaning | undefined {
  const name = [root, ...keys].join('.')
  if (name === '$now') return { kind: 'now', format: '' }
  if (name === '$today') return { kind: 'now', format: MIDNIGHT }
  if (Object.hasOwn(OF_WORKFLOW, name)) return { kind: 'workflow', what: OF_WORKFLOW[name]! }
  if (Object.hasOwn(OF_RUN, name)) return { kind: 'run', name: OF_RUN[name]! }
  const isVariable = (root === '$vars' || root === '$env') && keys.length === 1
  return isVariable && /^[A-Za-z_]\w*$/.test(keys[0]!) ? { kind: 'variable', name: keys[0]! } : undefined
}

const MIDNIGHT = "yyyy-MM-dd'T00:00:00.000Z'"
const AS_TEXT = new Set(['toISO', 'toISOString', 'toString', 'toJSON'])
const IN_DAYS = new Set(['toISODate'])
const BY_FORMAT = new Set(['toFormat', 'format'])

function timeOf({ of, given }: Expression & { kind: 'call' }): Meaning | undefined {
  if (of.kind !== 'member' || of.of.kind !== 'name') return undefined
  if (of.of.name !== '$now' && of.of.name !== '$today') return undefined
  const isDay = of.of.name === '$today'
  if (AS_TEXT.has(of.key)) return { kind: 'now', format: isDay ? MIDNIGHT : '' }
  if (IN_DAYS.has(of.key)) return { kind: 'now', format: 'yyyy-MM-dd' }
  const [format] = given
  const isFormat = format?.kind === 'literal' && typeof format.value === 'string' && given.length === 1
  return BY_FORMAT.has(of.key) && isFormat && !isDay
    ? { kind: 'now', format: String(format.value) }
    : undefined
}

/** `x.toString()` prints what a template prints. */
function textOfNow({ of, given }: Expression & { kind: 'call' }): Meaning | undefined {
  const isText = of.kind === 'member' && given.length === 0 && of.key === 'toString'
  return isText ? pathMeaning(of.of) : undefined
}

function askedOf({ of, given }: Expression & { kind: 'call' }): Meaning | undefined {
  if (of.kind !== 'name' || !/^\$fromai$/i.test(of.name)) return undefined
  const [name = '', description = '', type = 'string'] = given.map((each) =>
    each.kind === 'literal' && each.value != null ? String(each.value) : ''
  )
  return name === '' ? undefined : { kind: 'asked', name, description, type }
}
