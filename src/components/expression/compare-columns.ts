import type { Column, Container } from './columns.ts'
import { ASK, type ColumnCondition } from './verdicts.ts'

/** Where a value is less than what it is compared with, the same and more. */
interface Verdicts {
  readonly less: number
  readonly same: number
  readonly more: number
}

/*
 * One loop for each type, and one that reads the member itself: a loop that has seen numbers and texts compares ten times as
 * slowly, and numbers that are put aside in between are allocated each.
 */

export function compareNumbers(column: Column, literal: number, verdicts: Verdicts): ColumnCondition {
  const { member } = column
  if (member === undefined) return (rows) => numbers(column.values(rows), literal, verdicts)
  const { of, key } = member
  return (rows) => memberNumbers(of.values(rows), key, literal, verdicts)
}

export function compareTexts(column: Column, literal: string, verdicts: Verdicts): ColumnCondition {
  const { member } = column
  if (member === undefined) return (rows) => texts(column.values(rows), literal, verdicts)
  const { of, key } = member
  return (rows) => memberTexts(of.values(rows), key, literal, verdicts)
}

function numbers(values: readonly unknown[], literal: number, { less, same, more }: Verdicts): Uint8Array {
  const found = new Uint8Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    found[at] = typeof value !== 'number' ? ASK : value < literal ? less : value > literal ? more : same
  }
  return found
}

function memberNumbers(
  containers: readonly unknown[],
  key: string,
  literal: number,
  { less, same, more }: Verdicts
): Uint8Array {
  const found = new Uint8Array(containers.length)
  for (let at = 0; at < containers.length; at++) {
    const container = containers[at] as Container
    const value = typeof container === 'object' && container !== null ? container[key] : undefined
    found[at] = typeof value !== 'number' ? ASK : value < literal ? less : value > literal ? more : same
  }
  return found
}

function texts(values: readonly unknown[], literal: string, { less, same, more }: Verdicts): Uint8Array {
  const found = new Uint8Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value !== 'string') found[at] = ASK
    else if (value === literal) found[at] = same
    else found[at] = less === more || value < literal ? less : more
  }
  return found
}

function memberTexts(
  containers: readonly unknown[],
  key: string,
  literal: string,
  { less, same, more }: Verdicts
): Uint8Array {
  const found = new Uint8Array(containers.length)
  for (let at = 0; at < containers.length; at++) {
    const container = containers[at] as Container
    const value = typeof container === 'object' && container !== null ? container[key] : undefined
    if (typeof value !== 'string') found[at] = ASK
    else if (value === literal) found[at] = same
    else found[at] = less === more || value < literal ? less : more
  }
  return found
}
