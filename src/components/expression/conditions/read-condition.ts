import type { ASTNode } from '@marcbachmann/cel-js'
import { COMPARE, ONE_SIDED, OPERATORS, type Operator } from '../compare-words.ts'
import { type Condition, type ConditionRow, flatCondition } from './condition.ts'
import { readOperand } from './read-operand.ts'
import { bracketsIn, writtenPart } from './written-part.ts'

/** The rows that an expression is made of, by its syntax. What is no row stays as it is written. `roots` are the names that it sees. */
export function readCondition(node: ASTNode, source: string, roots: readonly string[]): Condition {
  return flatCondition(read(node, { source, roots, brackets: bracketsIn(source) }))
}

interface Reading {
  readonly source: string
  readonly brackets: ReturnType<typeof bracketsIn>
  readonly roots: readonly string[]
}

function read(node: ASTNode, reading: Reading): Condition {
  if (node.op === '&&' || node.op === '||') {
    const join = node.op === '&&' ? 'and' : 'or'
    return { kind: 'group', join, parts: node.args.map((part) => read(part, reading)) }
  }
  const written = writtenPart(reading.source, node, reading.brackets)
  const row = readRow(node, reading.roots)
  return row === undefined ? { kind: 'written', text: written, why: whyNot(node) } : { ...row, written }
}

type Row = Omit<ConditionRow, 'written'>

function readRow(node: ASTNode, roots: readonly string[]): Row | undefined {
  switch (node.op) {
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(SIGNS[node.op], node.args, roots)
    case 'in':
      return rowOf(node.args[1], 'contains', node.args[0], roots)
    case '!_':
      return negated(readRow(node.args, roots))
    case 'call':
      return compareRow(node.args, roots)
    case 'rcall':
      return textRow(node.args, roots)
    case '.':
    case '[]':
    case 'id':
      return rowOf(node, 'is true', undefined, roots)
    default:
      return undefined
  }
}

const SIGNS = {
  '==': 'equals',
  '!=': 'does not equal',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is greater than',
  '>=': 'is at least'
} as const

const MIRRORED: Readonly<Partial<Record<Operator, Operator>>> = {
  'is less than': 'is greater than',
  'is at most': 'is at least',
  'is greater than': 'is less than',
  'is at least': 'is at most'
}

/** `100 < data.total` says that the total is greater. */
function comparison(
  operator: Operator,
  [one, other]: readonly [ASTNode, ASTNode],
  roots: readonly string[]
): Row | undefined {
  const row = rowOf(one, operator, other, roots)
  if (row?.right?.kind !== 'path' || row.left.kind === 'path') return row
  return { ...row, left: row.right, operator: MIRRORED[operator] ?? operator, right: row.left }
}

/** What of the list or text is asked for must be known: one that is written out is no value of a row. */
function rowOf(
  one: ASTNode,
  operator: Operator,
  other: ASTNode | undefined,
  roots: readonly string[]
): Row | undefined {
  const left = readOperand(one, roots)
  const right = other === undefined ? undefined : readOperand(other, roots)
  if (left === undefined || (other !== undefined && right === undefined)) return undefined
  return { kind: 'row', left, operator, right }
}

const OPPOSITES: Readonly<Partial<Record<Operator, Operator>>> = {
  equals: 'does not equal',
  'does not equal': 'equals',
  contains: 'does not contain',
  'does not contain': 'contains',
  'is empty': 'is not empty',
  'is not empty': 'is empty'
}

function negated(row: Row | undefined): Row | undefined {
  if (row === undefined) return undefined
  const isTruth = row.operator === 'is true' && row.right === undefined
  const opposite: Operator | undefined = isTruth ? 'is false' : OPPOSITES[row.operator]
  return opposite === undefined ? undefined : { ...row, operator: opposite }
}

function compareRow(
  [name, values]: readonly [string, readonly ASTNode[]],
  roots: readonly string[]
): Row | undefined {
  const [left, named, right] = values
  const operator = OPERATORS.find((each) => named?.op === 'value' && named.args === each)
  if (name !== COMPARE || left === undefined || operator === undefined) return undefined
  return rowOf(left, operator, ONE_SIDED.includes(operator) ? undefined : right, roots)
}

const TEXT_TESTS: Readonly<Record<string, Operator>> = {
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with'
}

function textRow(
  [name, text, values]: readonly [string, ASTNode, readonly ASTNode[]],
  roots: readonly string[]
): Row | undefined {
  const operator = Object.hasOwn(TEXT_TESTS, name) ? TEXT_TESTS[name] : undefined
  return operator === undefined || values.length !== 1 ? undefined : rowOf(text, operator, values[0], roots)
}

/** In words that somebody who has never seen CEL can follow. */
function whyNot(node: ASTNode): string {
  const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : undefined
  if (name === 'has')
    return 'It asks whether a key is there, which no operator does: “is not empty” comes close.'
  if (name !== undefined && LOOPS.includes(name)) return 'It looks at each item of a list.'
  if (name === 'orValue') return 'It has a value for a key that is absent.'
  if (node.op === '?:') return 'It chooses between two conditions.'
  if (node.op === '!_') return 'It turns a condition around for which there is no operator.'
  return 'It computes more than a row of value, operator and value can say.'
}

const LOOPS = ['all', 'exists', 'exists_one', 'map', 'filter']
