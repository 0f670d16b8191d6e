import { ONE_SIDED, type Operator } from '../../../../src/components/expression/compare-words.ts'
import type {
  Condition,
  ConditionGroup,
  ConditionRow,
  Operand
} from '../../../../src/components/expression/conditions/condition.ts'
import { moveRow } from '../rows/move-row.ts'
import { pathOperandText } from './path-operand.ts'

/** A group in a group in a group: more are hard to read, and can be written in CEL. */
export const DEEPEST_GROUP = 3

const UNNAMED: Operand = { kind: 'path', root: '', keys: [] }

const NEW_ROW: ConditionRow = {
  kind: 'row',
  left: UNNAMED,
  operator: 'equals',
  right: { kind: 'text', text: '' }
}

/** What was read, as the group that the page shows: one row is a group of it. */
export function asGroup(condition: Condition | undefined): ConditionGroup {
  if (condition === undefined) return { kind: 'group', join: 'and', parts: [NEW_ROW] }
  const shown = asShown(condition)
  return shown.kind === 'group' ? shown : { kind: 'group', join: 'and', parts: [shown] }
}

/** Rows that cannot be shown as such stay in CEL. */
function asShown(condition: Condition): Condition {
  if (condition.kind === 'group') return { ...condition, parts: condition.parts.map(asShown) }
  if (condition.kind === 'written' || isShown(condition)) return condition
  return {
    kind: 'written',
    text: condition.written ?? '',
    why: 'One of its values has no place in a row.'
  }
}

function isShown({ left, right, written }: ConditionRow): boolean {
  const isWritable = (operand: Operand) => operand.kind !== 'path' || pathOperandText(operand) !== undefined
  return written === undefined || (left.kind === 'path' && [left, right ?? left].every(isWritable))
}

export function withPart(group: ConditionGroup, at: number, part: Condition): ConditionGroup {
  return { ...group, parts: group.parts.with(at, part) }
}

export function withoutPart(group: ConditionGroup, at: number): ConditionGroup {
  return { ...group, parts: group.parts.toSpliced(at, 1) }
}

export function addRow(group: ConditionGroup): ConditionGroup {
  return { ...group, parts: [...group.parts, NEW_ROW] }
}

/** Of the other kind than the one around it: one of the same kind would say nothing. */
export function addGroup(group: ConditionGroup): ConditionGroup {
  const inner: ConditionGroup = { kind: 'group', join: group.join === 'and' ? 'or' : 'and', parts: [NEW_ROW] }
  return { ...group, parts: [...group.parts, inner] }
}

export function movePart(group: ConditionGroup, at: number, by: 1 | -1): ConditionGroup {
  return { ...group, parts: moveRow(group.parts, at, by) }
}

/** A row that somebody changed is written anew. */
export function withOperator({ left, right }: ConditionRow, operator: Operator): ConditionRow {
  if (ONE_SIDED.includes(operator)) return { kind: 'row', left, operator }
  const isOrder = /than|at least|at most/.test(operator)
  const given = right ?? { kind: 'text', text: '' }
  return { kind: 'row', left, operator, right: isOrder ? asNumber(given) : given }
}

/** What is put in order is a number, where it reads as one. */
function asNumber(operand: Operand): Operand {
  if (operand.kind !== 'text' || operand.text.trim() === '') return operand
  const number = Number(operand.text)
  return Number.isFinite(number) ? { kind: 'number', number } : operand
}

export type OperandKind = Operand['kind']

/** The same value as one of another kind, as far as it can be. */
export function asKind(
  operand: Operand,
  kind: OperandKind,
  roots: readonly string[],
  read: ReadPath
): Operand {
  const text = textOf(operand)
  switch (kind) {
    case 'path':
      return read(text, roots) ?? UNNAMED
    case 'text':
      return { kind, text }
    case 'number':
      return { kind, number: Number.isFinite(Number(text)) ? Number(text) : 0 }
    case 'boolean':
      return { kind, is: text !== 'false' }
    case 'time':
      return { kind, text: /^\d{4}-\d\d-\d\dT/.test(text) ? text : '' }
  }
}

type ReadPath = (text: string, roots: readonly string[]) => Operand | undefined

function textOf(operand: Operand): string {
  switch (operand.kind) {
    case 'path':
      return pathOperandText(operand) ?? ''
    case 'number':
      return String(operand.number)
    case 'boolean':
      return String(operand.is)
    default:
      return operand.text
  }
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/

/** A time as CEL reads it, with its zone: by itself UTC. Undefined where it is none. */
export function fullTime(typed: string): string | undefined {
  const text = typed.trim()
  if (!TIME.test(text)) return undefined
  const [date, time = '00:00:00Z'] = text.split('T') as [string, string?]
  const [, clock, zone] = /^([\d:.]+)(.*)$/.exec(time) as unknown as [string, string, string]
  const whole = `${date}T${clock.length === 5 ? `${clock}:00` : clock}${zone || 'Z'}`
  return Number.isNaN(Date.parse(whole)) ? undefined : whole
}
