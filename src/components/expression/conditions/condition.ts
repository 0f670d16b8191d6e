import type { Operator } from '../compare-words.ts'

/** A condition as rows: what the page shows of an expression, and importers make. */
export type Condition = ConditionGroup | ConditionRow | WrittenCondition

export interface ConditionGroup {
  readonly kind: 'group'
  readonly join: 'and' | 'or'
  readonly parts: readonly Condition[]
}

export interface ConditionRow {
  readonly kind: 'row'
  readonly left: Operand
  readonly operator: Operator
  /** Undefined where the operator asks of the left side alone. */
  readonly right?: Operand | undefined
  /** The CEL that it was read from: what nobody has touched is written back as it was. */
  readonly written?: string | undefined
}

/** A part that is no row, in CEL. */
export interface WrittenCondition {
  readonly kind: 'written'
  readonly text: string
  readonly why: string
}

export type Operand =
  | PathOperand
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'boolean'; readonly is: boolean }
  /** A time, as text: `2026-11-17T09:00:00Z`. */
  | { readonly kind: 'time'; readonly text: string }

export interface PathOperand {
  readonly kind: 'path'
  /** A name that the expression sees: `data`, `nodes`, `run`, `now`, `index`. Empty while nobody has named one. */
  readonly root: string
  /** Numbers are places in lists. */
  readonly keys: readonly (string | number)[]
}

/** Whether there is anything of it to be written. */
export function isWhole(condition: Condition): boolean {
  if (condition.kind === 'group') return condition.parts.some(isWhole)
  if (condition.kind === 'written') return condition.text.trim() !== ''
  return isNamed(condition.left) && (condition.right === undefined || isNamed(condition.right))
}

function isNamed(operand: Operand): boolean {
  if (operand.kind === 'path') return operand.root !== ''
  return operand.kind !== 'time' || operand.text !== ''
}

/** Without what an expression does not show: rows that are not whole, and groups of one part or of the kind around them. */
export function flatCondition(condition: Condition): Condition {
  if (condition.kind !== 'group') return condition
  const parts = condition.parts
    .filter(isWhole)
    .map(flatCondition)
    .flatMap((part): readonly Condition[] => {
      return part.kind === 'group' && part.join === condition.join ? part.parts : [part]
    })
  return parts.length === 1 ? parts[0]! : { ...condition, parts }
}
