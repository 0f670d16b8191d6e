import { membersIn, membersOf, textOf } from '../values.ts'
import { type Comparison, conditionCode } from './condition-code.ts'
import type { N8nNode } from './n8n-node.ts'
import { isWritten } from './n8n-text.ts'
import type { Writer } from './writer.ts'

/** What is asked, as fields of If-Else. */
interface Asked {
  readonly left: string
  readonly operator: string
  readonly right: string
}

interface Conditions {
  readonly comparisons: readonly Comparison[]
  readonly isAny: boolean
}

/** What If-Else asks as n8n does. */
const OPERATORS: Readonly<Record<string, string>> = {
  equals: 'equals',
  equal: 'equals',
  notEquals: 'does not equal',
  notEqual: 'does not equal',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  empty: 'is empty',
  isEmpty: 'is empty',
  notEmpty: 'is not empty',
  isNotEmpty: 'is not empty',
  true: 'is true'
}

const BLANKS = 'A text of blanks alone is empty here, and was not there.'

/** The conditions of an If, a Filter or one rule of a Switch, in all their versions. */
export function conditionsOf(value: unknown, params: N8nNode['params'] = {}): Conditions {
  const set = membersOf(value)
  const isAny = params.combineOperation === 'any' || params.combineConditions === 'OR'
  if (Array.isArray(set.conditions)) {
    const { caseSensitive, typeValidation, version } = membersOf(set.options)
    const isLoose =
      typeValidation === 'loose' ||
      params.looseTypeValidation === true ||
      membersOf(params.options).looseTypeValidation === true
    const typed = { version: Number(version) || 1, isLoose }
    const comparisons = membersIn(set.conditions).map(({ leftValue, rightValue, operator }) => {
      const { type, operation } = membersOf(operator)
      return {
        type: textOf(type),
        left: leftValue,
        operation: textOf(operation) || 'equals',
        right: rightValue,
        isBlind: caseSensitive === false,
        typed
      }
    })
    return { comparisons, isAny: isAny || set.combinator === 'or' }
  }
  const comparisons = Object.entries(set).flatMap(([type, list]) =>
    membersIn(list).map(({ value1, value2, operation }) => ({
      type,
      left: value1,
      operation: textOf(operation) || defaultOf(type),
      right: value2 ?? (type === 'number' ? 0 : type === 'boolean' ? false : '')
    }))
  )
  return { comparisons, isAny }
}

/** What nobody chose is not in the file. */
function defaultOf(type: string): string {
  if (type === 'number') return 'smaller'
  return type === 'dateTime' ? 'after' : 'equal'
}

/** By the fields of If-Else where they can say it, else by code that gives true or false. */
export function askedBy({ params }: N8nNode, conditions: unknown, write: Writer): Asked {
  const { comparisons, isAny } = conditionsOf(conditions, params)
  const [only] = comparisons
  if (comparisons.length === 1 && only !== undefined) {
    const plain = plainly(only, write)
    if (plain !== undefined) return plain
  }
  return { left: write.computed(conditionCode(comparisons, isAny, write)), operator: 'is true', right: '' }
}

function plainly(comparison: Comparison, write: Writer): Asked | undefined {
  const { type, left, operation, right } = comparison
  const operator = Object.hasOwn(OPERATORS, operation) ? OPERATORS[operation] : undefined
  if (operator === undefined || !isPlain(comparison)) return undefined
  if (/empty/.test(operator)) write.tell(BLANKS)
  if (/boolean/i.test(type) && operator === 'equals')
    return { left: asked(left, write), operator: 'is true', right: '' }
  return {
    left: asked(left, write),
    operator,
    right: /empty|true/.test(operator) ? '' : write.template(right)
  }
}

/**
 * Where both ask the same, whatever comes. If-Else takes texts that say the same number for the same, does not order what is missing, and
 * is not told what the types of n8n make of a value.
 */
function isPlain({ type, operation, right, isBlind, typed }: Comparison): boolean {
  if (isBlind === true && !/boolean/i.test(type)) return false
  if (typed?.isLoose === true) return false
  if (/boolean/i.test(type)) {
    const isTrue = right === true || right === 'true'
    return operation === 'true' || (/^equals?$/.test(operation) && isTrue)
  }
  if (type !== 'string') return false
  return !/equal/i.test(operation) || (!isWritten(right) && !isNumber(textOf(right)))
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && !Number.isNaN(Number(text))
}

/** A side may not be empty. */
function asked(value: unknown, write: Writer): string {
  const text = write.template(value)
  return text.trim() === '' ? '{$none?}' : text
}
