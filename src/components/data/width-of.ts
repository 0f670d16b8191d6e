import type { JsonValue } from '../../plugin-api.ts'

/** What it takes to copy a member, which itself stays as it is: in characters. */
export const WORK_PER_MEMBER = 16

/** How many members an item has. */
export function widthOf(item: JsonValue): number {
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? Object.keys(item).length : 0
}
