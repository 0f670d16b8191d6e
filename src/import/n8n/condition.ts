import { membersIn, membersOf, textOf } from '../values.ts'
import type { N8nNode } from './n8n-node.ts'
import type { Writer } from './writer.ts'

/** Two values and what is asked of them. */
interface Comparison {
  readonly type: string
  readonly left: unknown
  readonly operation: string
  readonly right: unknown
  /** Upper and lower case are the same. */
  readonly isBlind?: boolean
}

/** What is asked, as fields of If-Else. */
interface Asked {
  readonly left: string
  readonly operator: string
  readonly right: string
}

const OPERATORS: Readonly<Record<string, string>> = {
  equals: 'equals',
  equal: 'equals',
  is: 'equals',
  notEquals: 'does not equal',
  notEqual: 'does not equal',
  isNot: 'does not equal',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  gt: 'is greater than',
  larger: 'is greater than',
  after: 'is greater than',
  gte: 'is at least',
  largerEqual: 'is at least',
  afterOrEquals: 'is at least',
  lt: 'is less than',
  smaller: 'is less than',
  before: 'is less than',
  lte: 'is at most',
  smallerEqual: 'is at most',
  beforeOrEquals: 'is at most',
  empty: 'is empty',
  isEmpty: 'is empty',
  notEmpty: 'is not empty',
  isNotEmpty: 'is not empty',
  true: 'is true',
  false: 'is false'
}

/** In JavaScript, of `a` and `b`. */
const IN_CODE: Readonly<Record<string, string>> = {
  equals: 'same(a, b)',
  equal: 'same(a, b)',
  is: 'same(a, b)',
  notEquals: '!same(a, b)',
  notEqual: '!same(a, b)',
  isNot: '!same(a, b)',
  contains: 'holds(a, b)',
  notContains: '!holds(a, b)',
  startsWith: "String(a ?? '').startsWith(b)",
  endsWith: "String(a ?? '').endsWith(b)",
  notStartsWith: "!String(a ?? '').startsWith(b)",
  notEndsWith: "!String(a ?? '').endsWith(b)",
  regex: 'pattern(b).test(a)',
  notRegex: '!pattern(b).test(a)',
  gt: 'order(a) > order(b)',
  larger: 'order(a) > order(b)',
  after: 'order(a) > order(b)',
  lengthGt: 'size(a) > b',
  gte: 'order(a) >= order(b)',
  largerEqual: 'order(a) >= order(b)',
  afterOrEquals: 'order(a) >= order(b)',
  lengthGte: 'size(a) >= b',
  lt: 'order(a) < order(b)',
  smaller: 'order(a) < order(b)',
  before: 'order(a) < order(b)',
  lengthLt: 'size(a) < b',
  lte: 'order(a) <= order(b)',
  smallerEqual: 'order(a) <= order(b)',
  beforeOrEquals: 'order(a) <= order(b)',
  lengthLte: 'size(a) <= b',
  lengthEquals: 'size(a) === Number(b)',
  lengthNotEquals: 'size(a) !== Number(b)',
  empty: 'none(a)',
  isEmpty: 'none(a)',
  notEmpty: '!none(a)',
  isNotEmpty: '!none(a)',
  exists: 'a !== undefined && a !== null',
  notExists: 'a === undefined || a === null',
  true: "a === true || a === 'true'",
  false: "a === false || a === 'false'"
}

const HELPERS = `const same = (a, b) => a === b || String(a ?? '') === String(b ?? '')
const holds = (a, b) => (Array.isArray(a) ? a.some((each) => same(each, b)) : String(a ?? '').includes(b))
const size = (a) => (typeof a === 'object' && a !== null && !Array.isArray(a) ? Object.keys(a) : (a ?? '')).length
const none = (a) => a === undefined || a === null || a === '' || (typeof a === 'object' && size(a) === 0)
const order = (a) => (a === '' || a === null || Number.isNaN(Number(a)) ? Date.parse(a) : Number(a))
const pattern = (b) => { const [, body, flags] = /^\\/(.*)\\/([a-z]*)$/s.exec(b) ?? [, b, '']; return new RegExp(body, flags) }
const small = (a) => (typeof a === 'string' ? a.toLowerCase() : a)
const check = (a, b, ask) => ask(a, b)`

/** The conditions of an If, a Filter or one rule of a Switch, in all their versions. */
export function conditionsOf(value: unknown): { comparisons: Comparison[]; isAny: boolean } {
  const set = membersOf(value)
  if (Array.isArray(set.conditions)) {
    const comparisons = membersIn(set.conditions).map(({ leftValue, rightValue, operator }) => {
      const { type, operation } = membersOf(operator)
      return {
        type: textOf(type),
        left: leftValue,
        operation: textOf(operation) || 'equals',
        right: rightValue,
        isBlind: membersOf(set.options).caseSensitive === false
      }
    })
    return { comparisons, isAny: set.combinator === 'or' }
  }
  const comparisons = Object.entries(set).flatMap(([type, list]) =>
    membersIn(list).map(({ value1, value2, operation }) => ({
      type,
      left: value1,
      operation: textOf(operation) || defaultOf(type),
      right: value2 ?? (type === 'number' ? 0 : type === 'boolean' ? false : '')
    }))
  )
  return { comparisons, isAny: false }
}

/** What nobody chose is not in the file. */
function defaultOf(type: string): string {
  if (type === 'number') return 'smaller'
  return type === 'dateTime' ? 'after' : 'equal'
}

/** By the fields of If-Else where they can say it, else by code that gives true or false. */
export function askedBy(node: N8nNode, conditions: unknown, write: Writer): Asked {
  const { comparisons, isAny: isAnyOf } = conditionsOf(conditions)
  const isAny = isAnyOf || node.params.combineOperation === 'any' || node.params.combineConditions === 'OR'
  const [only] = comparisons
  if (comparisons.length === 1 && only !== undefined) {
    const plain = plainly(only, write)
    if (plain !== undefined) return plain
  }
  return { left: write.computed(conditionCode(comparisons, isAny, write)), operator: 'is true', right: '' }
}

function plainly({ type, left, operation, right, isBlind }: Comparison, write: Writer): Asked | undefined {
  if (/array|object/i.test(type) || (isBlind === true && !/boolean|number/i.test(type))) return undefined
  const operator = Object.hasOwn(OPERATORS, operation) ? OPERATORS[operation] : undefined
  const isOfDates = /date/i.test(type)
  if (operator === undefined || (isOfDates && /is (?:greater|less|at)/.test(operator))) return undefined
  if (type === 'boolean' && operator === 'equals') {
    const isTrue = right === true || right === 'true' || right === undefined
    const isKnown = typeof right === 'boolean' || right === undefined || right === 'true' || right === 'false'
    if (isKnown) return { left: asked(left, write), operator: isTrue ? 'is true' : 'is false', right: '' }
  }
  return {
    left: asked(left, write),
    operator,
    right: /empty|true|false/.test(operator) ? '' : write.template(right)
  }
}

/** A side may not be empty. */
function asked(value: unknown, write: Writer): string {
  return write.template(value) || '{$none?}'
}

export function conditionCode(comparisons: readonly Comparison[], isAny: boolean, write: Writer): string {
  if (comparisons.length === 0) return 'true'
  const asks = comparisons.map(({ left, operation, right, isBlind }) => {
    const how = Object.hasOwn(IN_CODE, operation) ? IN_CODE[operation]! : 'same(a, b)'
    const side = (value: unknown) => (isBlind === true ? `small(${write.js(value)})` : write.js(value))
    return `check(${side(left)}, ${side(right)}, (a, b) => ${how})`
  })
  return `(() => { ${HELPERS.replaceAll('\n', '; ')}; return ${asks.join(isAny ? ' || ' : ' && ')} })()`
}
