import type { ASTNode } from '@marcbachmann/cel-js'
import type { Operand, PathOperand } from './condition.ts'

/** One side of a row: a path, a text, a number, true, false or a time. Undefined for all else. */
export function readOperand(node: ASTNode, roots: readonly string[]): Operand | undefined {
  if (node.op === 'value') return constantOf(node.args)
  if (node.op === '-_') return negative(readOperand(node.args, roots))
  if (node.op === 'call') return timeOf(node.args)
  return pathOf(node, roots)
}

function constantOf(value: unknown): Operand | undefined {
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (typeof value === 'boolean') return { kind: 'boolean', is: value }
  if (typeof value === 'number') return { kind: 'number', number: value }
  // One with more digits is not the same as a number of the page.
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value))
    ? { kind: 'number', number: Number(value) }
    : undefined
}

function negative(operand: Operand | undefined): Operand | undefined {
  return operand?.kind === 'number' ? { kind: 'number', number: 0 - operand.number } : undefined
}

function timeOf([name, values]: readonly [string, readonly ASTNode[]]): Operand | undefined {
  const [time] = values
  if (name !== 'timestamp' || time?.op !== 'value' || typeof time.args !== 'string') return undefined
  return { kind: 'time', text: time.args }
}

function pathOf(node: ASTNode, roots: readonly string[]): PathOperand | undefined {
  switch (node.op) {
    case 'id':
      return roots.includes(node.args) ? { kind: 'path', root: node.args, keys: [] } : undefined
    case '.':
    case '.?':
      return member(pathOf(node.args[0], roots), node.args[1] as unknown)
    case '[]':
    case '[?]':
      return member(pathOf(node.args[0], roots), keyIn(node.args[1]))
    default:
      return undefined
  }
}

function keyIn(node: ASTNode): unknown {
  return node.op === 'value' ? node.args : undefined
}

function member(path: PathOperand | undefined, key: unknown): PathOperand | undefined {
  const step = typeof key === 'bigint' ? placeOf(key) : key
  if (path === undefined || (typeof step !== 'string' && typeof step !== 'number')) return undefined
  return { ...path, keys: [...path.keys, step] }
}

function placeOf(place: bigint): number | undefined {
  return place >= 0n && place < 2n ** 31n ? Number(place) : undefined
}
