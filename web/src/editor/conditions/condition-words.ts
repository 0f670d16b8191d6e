import { firstLine } from '../graph/node-summary.ts'

/** Operators that look at one value alone. */
const ALONE = ['is empty', 'is not empty', 'is true', 'is false']

/** A condition as it is read aloud: "{total} is at least 100", or the expression. */
export function conditionWords(fields: Readonly<Record<string, unknown>>): string {
  if (fields.mode === 'Expression') return firstLine(fields.expression) || 'No condition yet'
  const left = firstLine(fields.left)
  if (left === '') return 'No condition yet'
  const operator = firstLine(fields.operator) || 'equals'
  if (ALONE.includes(operator)) return `${left} ${operator}`
  return `${left} ${operator} ${firstLine(fields.right) || '“”'}`
}
