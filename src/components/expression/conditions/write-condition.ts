import { COMPARE, ONE_SIDED, type Operator } from '../compare-words.ts'
import {
  type Condition,
  type ConditionRow,
  flatCondition,
  isWhole,
  type Operand,
  type PathOperand
} from './condition.ts'

/** The condition in CEL, with the meaning of the mode Compare; empty where it has no part. */
export function writeCondition(condition: Condition): string {
  return isWhole(condition) ? written(flatCondition(condition)) : ''
}

function written(condition: Condition): string {
  if (condition.kind === 'row') return condition.written ?? writtenRow(condition)
  if (condition.kind === 'written') return condition.text.trim()
  return condition.parts.map(asPart).join(condition.join === 'and' ? ' && ' : ' || ')
}

function asPart(part: Condition): string {
  const text = written(part)
  const isLoose = part.kind === 'group' || (part.kind === 'written' && /&&|\|\||\?|\/\//.test(text))
  // What follows a comment would be part of it.
  return isLoose ? `(${text}${text.includes('//') ? '\n' : ''})` : text
}

const ORDER: Readonly<Partial<Record<Operator, string>>> = {
  'is greater than': '>',
  'is at least': '>=',
  'is less than': '<',
  'is at most': '<='
}

const SAME: Readonly<Partial<Record<Operator, string>>> = { equals: '==', 'does not equal': '!=' }

function writtenRow({ left, operator, right }: ConditionRow): string {
  if (right === undefined || ONE_SIDED.includes(operator))
    return `${COMPARE}(${operandText(left, mayBeAbsent(operator))}, "${operator}")`
  const sign = plainSign(left, operator, right)
  if (sign !== undefined) return `${operandText(left)} ${sign} ${operandText(right)}`
  return `${COMPARE}(${operandText(left)}, "${operator}", ${operandText(right)})`
}

function mayBeAbsent(operator: Operator): boolean {
  return operator === 'is empty' || operator === 'is not empty'
}

/** Where CEL by itself says the same of every value. */
function plainSign(left: Operand, operator: Operator, right: Operand): string | undefined {
  if ((left.kind === 'path') === (right.kind === 'path')) return undefined
  const constant = left.kind === 'path' ? right : left
  if (constant.kind === 'text') return isWord(constant.text) ? SAME[operator] : undefined
  return constant.kind === 'number' || constant.kind === 'time' ? ORDER[operator] : undefined
}

/** A text that nothing but a text prints. */
function isWord(text: string): boolean {
  return text !== '' && !/^\s*[+-]?\d|^[[{]/.test(text) && text !== 'true' && text !== 'false'
}

function operandText(operand: Operand, isOptional = false): string {
  switch (operand.kind) {
    case 'path':
      return pathText(operand, isOptional)
    case 'text':
      return quoted(operand.text)
    case 'number':
      return numberText(operand.number)
    case 'boolean':
      return String(operand.is)
    case 'time':
      return `timestamp(${quoted(operand.text)})`
  }
}

/** Half of a pair of code units is no text in CEL. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed())
}

function numberText(number: number): string {
  if (Number.isSafeInteger(number)) return String(number + 0)
  const text = String(number)
  // A whole one of more digits would be an integer of 64 bits.
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** Words that CEL does not take behind a dot. */
const RESERVED = ['in', 'true', 'false', 'null']

function pathText({ root, keys }: PathOperand, isOptional: boolean): string {
  const mark = isOptional ? '?' : ''
  return keys.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${mark}${key}]`
    const isName = /^[A-Za-z_]\w*$/.test(key) && !RESERVED.includes(key)
    return isName ? `${text}.${mark}${key}` : `${text}[${mark}${quoted(key)}]`
  }, root)
}
