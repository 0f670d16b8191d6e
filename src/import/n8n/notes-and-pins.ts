import type { SourceNote } from '../draw-notes.ts'
import { membersIn, membersOf, numberOf, textOf } from '../values.ts'
import type { Items } from './items.ts'
import { LARGER, type N8nNode } from './n8n-node.ts'

/** One item is pinned as it is where one is expected, and a list where several are. */
export function pinnedOf(
  pinData: unknown,
  { gives, regions }: Items
): { key: string; output: string; value: unknown }[] {
  return Object.entries(membersOf(pinData)).flatMap(([key, list]) => {
    const items = membersIn(list).map((item) => item.json ?? item)
    // What stands in a For each is run for each of its items.
    if (items.length === 0 || regions.has(key)) return []
    const isList = gives.get(key) === true || items.length > 1
    return [{ key, output: '0', value: isList ? items : items[0] }]
  })
}

const COLOURS = ['yellow', 'yellow', 'yellow', 'red', 'green', 'blue', 'purple', 'grey'] as const

export function noteOf({ params, x, y }: N8nNode): SourceNote {
  const colour = COLOURS[numberOf(params.color) ?? 1]
  return {
    text: textOf(params.content),
    x,
    y,
    width: (numberOf(params.width) ?? 240) * LARGER.x,
    height: (numberOf(params.height) ?? 160) * LARGER.y,
    ...(colour !== undefined && { colour })
  }
}
