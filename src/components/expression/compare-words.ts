export const OPERATORS = [
  'equals',
  'does not equal',
  'contains',
  'does not contain',
  'starts with',
  'ends with',
  'matches',
  'is greater than',
  'is at least',
  'is less than',
  'is at most',
  'is empty',
  'is not empty',
  'is true',
  'is false'
] as const

export type Operator = (typeof OPERATORS)[number]

/** Operators that ask of the left side alone. */
export const ONE_SIDED: readonly Operator[] = ['is empty', 'is not empty', 'is true', 'is false']

/** What an operator is called by in an expression. */
export const COMPARE = 'compare'

/** CEL's own `data.name.matches("^A")`, which asks as the operator does. */
export const MATCHES = 'matches'
