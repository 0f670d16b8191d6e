import type { Environment } from '@marcbachmann/cel-js'
import { ExactNumber } from '../../plugin-api.ts'
import { compareOrder, type Side } from './compare-values.ts'

/** What CEL by itself refuses, as its types are stricter than those of data. What it knows, means what it says. */
export function registerMixed(environment: Environment): void {
  // Numbers of JSON are doubles, and `data.total + 1` adds an int to one.
  for (const [sign, compute] of COMPUTED) {
    for (const pair of [`double ${sign} int`, `int ${sign} double`])
      environment.registerOperator(pair, (left: unknown, right: unknown) =>
        compute(Number(left), Number(right))
      )
  }
  environment.registerOperator('double % double', (left: number, right: number) => left % right)
  // Forms and CSV have numbers and dates as texts.
  for (const [sign, holds] of ORDERED) {
    for (const other of ['int', 'double', 'google.protobuf.Timestamp'])
      for (const pair of [`string ${sign} ${other}`, `${other} ${sign} string`])
        environment.registerOperator(pair, (left: unknown, right: unknown) =>
          holds(compareOrder(sideOf(left), sideOf(right)))
        )
  }
}

const COMPUTED: readonly [sign: string, compute: (left: number, right: number) => number][] = [
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
  ['%', (left, right) => left % right]
]

const ORDERED: readonly [sign: string, holds: (order: number) => boolean][] = [
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0]
]

function sideOf(value: unknown): Side {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? new ExactNumber(String(value)) : (value as Side)
}
