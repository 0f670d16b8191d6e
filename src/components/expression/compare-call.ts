import type { ASTNode } from '@marcbachmann/cel-js'
import { ExactNumber, type JsonValue, StepError } from '../../plugin-api.ts'
import { compilePattern, type Pattern } from '../schema/pattern.ts'
import { patternSize } from '../schema/pattern-size.ts'
import { compareValues, type Side } from './compare-values.ts'
import { COMPARE, MATCHES, ONE_SIDED, OPERATORS, type Operator } from './compare-words.ts'
import { isData } from './expression-data.ts'
import type { StepBudget } from './step-budget.ts'

/*
 * `compare(data.total, "is greater than", 100)`: what the mode Compare of If-Else says, in an expression.
 */

/** Of the pattern, when it is compiled: 150 µs, and 1.5 µs for each part. */
const STEPS_PER_PATTERN = 1_000
const STEPS_PER_PART = 10

/** What is wrong with a call, as it is written; undefined where nothing is. */
export function callFault(node: ASTNode): string | undefined {
  if (node.op === 'call' && node.args[0] === COMPARE) return compareFault(node)
  if (node.op !== 'rcall' || node.args[0] !== MATCHES) return undefined
  const [pattern] = node.args[2]
  return pattern?.op === 'value' ? patternFault(String(pattern.args)) : undefined
}

function compareFault({ args }: ASTNode & { readonly op: 'call' }): string | undefined {
  const [, operator, right] = args[1]
  const named = operator?.op === 'value' ? operator.args : undefined
  if (!isOperator(named))
    return `compare() takes a value, one of the operators "${OPERATORS.join('", "')}", and what the value is compared with.`
  if (right === undefined && !ONE_SIDED.includes(named))
    return `compare() with "${named}" takes three things: a value, the operator, and what the value is compared with.`
  return named === 'matches' && right?.op === 'value' ? patternFault(String(right.args)) : undefined
}

function patternFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    return error.message
  }
}

function isOperator(value: unknown): value is Operator {
  return OPERATORS.some((operator) => operator === value)
}

export type Compare = (...values: unknown[]) => boolean

/** Throws a StepError, as compareValues does. A condition asks for the same pattern again and again. */
export function compareCall(budget: StepBudget): Compare {
  let known: { readonly source: string; readonly pattern: Pattern } | undefined
  const compiled = (source: string): Pattern => {
    if (known?.source === source) return known.pattern
    budget.pay(STEPS_PER_PATTERN + patternSize(source) * STEPS_PER_PART)
    known = { source, pattern: compilePattern(source) }
    return known.pattern
  }
  const pattern = (source: string): Pattern => {
    const { isFoundIn, stepsFor } = compiled(source)
    return {
      stepsFor,
      isFoundIn: (text) => {
        budget.pay(stepsFor(text))
        return isFoundIn(text)
      }
    }
  }
  return (left, operator, right) => {
    const asked = operator as Operator
    const other = ONE_SIDED.includes(asked) ? undefined : sideOf(right, budget)
    return compareValues(leftOf(left, asked, budget), asked, other, pattern)
  }
}

/** Whether it is empty, or has a key, is known without looking at all of it. */
function leftOf(value: unknown, operator: Operator, budget: StepBudget): Side {
  const isOfKeys = isData(value) && /contain/.test(operator)
  const isWhole = ONE_SIDED.includes(operator) || isOfKeys
  if (!isWhole || typeof value !== 'object' || value === null) return sideOf(value, budget)
  if (isData(value)) budget.keysOf(value)
  return isData(value) || Array.isArray(value) ? (value as JsonValue) : sideOf(value, budget)
}

/** `data.?key` where the key is not there. */
interface MaybeThere {
  hasValue(): boolean
  value(): unknown
}

function sideOf(value: unknown, budget: StepBudget): Side {
  if (isMaybe(value)) return value.hasValue() ? sideOf(value.value(), budget) : undefined
  return jsonOf(value, budget)
}

function isMaybe(value: unknown): value is MaybeThere {
  return typeof value === 'object' && value !== null && 'hasValue' in value && !isData(value)
}

/** CEL's numbers and times become those of JSON again, and all that is read is paid for. */
function jsonOf(value: unknown, budget: StepBudget): JsonValue {
  budget.copy()
  if (typeof value === 'string') budget.read(value)
  if (value instanceof ExactNumber) budget.read(value.source)
  if (typeof value === 'bigint') return new ExactNumber(String(value))
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) {
    const items = value.map((item) => jsonOf(item, budget))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (isData(value)) return membersOf(value, budget)
  if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) throw notComparable()
  return value as JsonValue
}

function membersOf(value: Readonly<Record<string, JsonValue>>, budget: StepBudget): JsonValue {
  const members = budget.keysOf(value).map((key) => [key, jsonOf(value[key], budget)] as const)
  return members.every(([key, member]) => member === value[key]) ? value : Object.fromEntries(members)
}

function notComparable(): StepError {
  return new StepError('compare() takes values of the data, texts, numbers, true, false and times.', {
    code: 'not_comparable',
    retryable: false
  })
}
