import { membersIn, membersOf, numberOf, textOf } from '../values.ts'
import type { N8nNode } from './n8n-node.ts'

/** Of how often it looks. */
export function everyOf(node: N8nNode): string {
  const [item] = membersIn(membersOf(node.params.pollTimes).item)
  const minutes = numberOf(item?.value) ?? 1
  const mode = textOf(item?.mode)
  if (mode === 'everyX') return textOf(item?.unit) === 'hours' ? `${minutes}h` : `${Math.max(1, minutes)}m`
  return mode === 'everyHour' ? '1h' : mode === 'everyDay' ? '1d' : '5m'
}
