import type { ASTNode } from '@marcbachmann/cel-js'
import { ExactNumber, type JsonValue } from '../../plugin-api.ts'

/** The value of one part of an expression in each row; undefined where only CEL can tell it. */
export interface Column {
  values(rows: readonly JsonValue[]): readonly unknown[]
  /** Where the values are a member of others: these, and the name of the member. */
  readonly member?: { readonly of: Column; readonly key: string }
}

export type Container = Readonly<Record<string, unknown>> | null | undefined

/** They have every name that an object, a list and an exact number of ours have by themselves. */
const INHERITED: readonly object[] = [[], new ExactNumber('0')]

/** Keys of the row, and sums of numbers; undefined for any other part. */
export function compileColumn(node: ASTNode, roots: readonly string[]): Column | undefined {
  switch (node.op) {
    case 'id':
      return roots.includes(node.args) ? { values: (rows) => rows } : undefined
    case '.':
      return member(compileColumn(node.args[0], roots), node.args[1])
    case '[]': {
      const key = literalOf(node.args[1])
      return typeof key === 'string' ? member(compileColumn(node.args[0], roots), key) : undefined
    }
    case '+':
    case '-':
    case '*':
    case '/':
      return arithmetic(node.op, node.args, roots)
    default:
      return undefined
  }
}

/** A number or a text that is written out in the expression. */
export function literalOf(node: ASTNode): number | string | undefined {
  if (node.op === '-_') {
    const positive = literalOf(node.args)
    return typeof positive === 'number' ? -positive : undefined
  }
  if (node.op !== 'value') return undefined
  const { args: value } = node
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : undefined
  return typeof value === 'number' || typeof value === 'string' ? value : undefined
}

function member(column: Column | undefined, key: string): Column | undefined {
  // What is inherited, and places of lists, must never be read.
  if (column === undefined || INHERITED.some((value) => key in value) || /^\d+$/.test(key)) return undefined
  const values = (rows: readonly JsonValue[]) => {
    const containers = column.values(rows)
    const found = new Array<unknown>(containers.length)
    for (let at = 0; at < containers.length; at++) {
      const container = containers[at] as Container
      found[at] = typeof container === 'object' && container !== null ? container[key] : undefined
    }
    return found
  }
  return { values, member: { of: column, key } }
}

const COMPUTE = {
  '+': (left: number, right: number) => left + right,
  '-': (left: number, right: number) => left - right,
  '*': (left: number, right: number) => left * right,
  '/': (left: number, right: number) => (right === 0 ? undefined : left / right)
} as const

/** Numbers of JSON are doubles. Two that are written out may be integers, which CEL computes in another way. */
function arithmetic(
  op: keyof typeof COMPUTE,
  [one, other]: readonly [ASTNode, ASTNode],
  roots: readonly string[]
): Column | undefined {
  const [left, right] = [numbersOf(one, roots), numbersOf(other, roots)]
  if (left === undefined || right === undefined) return undefined
  if (typeof left === 'number' && typeof right === 'number') return undefined
  const compute = COMPUTE[op]
  const values = (rows: readonly JsonValue[]) => {
    const lefts = typeof left === 'number' ? left : left.values(rows)
    const rights = typeof right === 'number' ? right : right.values(rows)
    return rows.map((_, at) => {
      const [a, b] = [
        typeof lefts === 'number' ? lefts : lefts[at],
        typeof rights === 'number' ? rights : rights[at]
      ]
      return typeof a === 'number' && typeof b === 'number' ? compute(a, b) : undefined
    })
  }
  return { values }
}

function numbersOf(node: ASTNode, roots: readonly string[]): Column | number | undefined {
  const literal = literalOf(node)
  if (typeof literal === 'number') return literal
  return literal === undefined ? compileColumn(node, roots) : undefined
}
