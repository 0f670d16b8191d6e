import { isWithin, parentPath, ROOT } from '../../../../../src/contexts/context-path.ts'
import type { ContextFacts } from '../../../api/contexts.ts'

/** Where a context stands in the picture, and in the tree that screen readers hear of. */
export interface TreeItem {
  readonly context: ContextFacts
  readonly level: number
  /** Its number among its siblings, from one, and how many those are. */
  readonly position: number
  readonly siblings: number
  /** Undefined where nothing is below it. */
  readonly isExpanded: boolean | undefined
  readonly x: number
  readonly y: number
}

export interface TreeEdge {
  readonly from: TreeItem
  readonly to: TreeItem
}

export interface TreePicture {
  /** Parents before their children, from top to bottom. */
  readonly items: readonly TreeItem[]
  readonly edges: readonly TreeEdge[]
  readonly width: number
  readonly height: number
}

/** Across: children stand right of their parent, which stands at their middle, or near the first of many. Down: one below the other, indented. */
export type Direction = 'across' | 'down'

export const NODE = { width: 232, height: 52 }
const GAP = { across: { x: 56, y: 12 }, down: { x: 20, y: 8 } }

export function layoutTree(
  contexts: readonly ContextFacts[],
  collapsed: ReadonlySet<string>,
  direction: Direction
): TreePicture {
  const items = direction === 'across' ? placeAcross(contexts, collapsed) : placeDown(contexts, collapsed)
  const byPath = new Map(items.map((item) => [item.context.path, item]))
  const edges = items.flatMap((to) => {
    const from = byPath.get(parentPath(to.context.path) ?? '')
    return from === undefined ? [] : [{ from, to }]
  })
  const width = Math.max(0, ...items.map(({ x }) => x + NODE.width))
  const height = Math.max(0, ...items.map(({ y }) => y + NODE.height))
  return { items, edges, width, height }
}

type Unplaced = Omit<TreeItem, 'x' | 'y'>

function placeDown(contexts: readonly ContextFacts[], collapsed: ReadonlySet<string>): TreeItem[] {
  return listed(contexts, collapsed).map((item, row) => {
    return { ...item, x: (item.level - 1) * GAP.down.x, y: row * (NODE.height + GAP.down.y) }
  })
}

/** How far below the first of its children a parent stands at most, in rows: both are in sight at once. */
const MOST_BELOW = 2

/** Whatever has nothing below it takes a row of its own; a parent takes the middle of its children's, if that is near. */
function placeAcross(contexts: readonly ContextFacts[], collapsed: ReadonlySet<string>): TreeItem[] {
  const items = listed(contexts, collapsed)
  const rows = new Map<string, number>()
  let next = 0
  // Children come after their parents, so from the end all below a context is placed before it.
  const childrenOf = Map.groupBy(items, ({ context }) => parentPath(context.path))
  for (const item of items) {
    const { path } = item.context
    if (!childrenOf.has(path)) rows.set(path, next++)
  }
  for (const { context } of items.toReversed()) {
    const children = childrenOf.get(context.path)
    if (children === undefined) continue
    const [first, last] = [children[0]!, children.at(-1)!].map((child) => rows.get(child.context.path)!)
    rows.set(context.path, Math.min((first! + last!) / 2, first! + MOST_BELOW))
  }
  return items.map((item) => ({
    ...item,
    x: (item.level - 1) * (NODE.width + GAP.across.x),
    y: rows.get(item.context.path)! * (NODE.height + GAP.across.y)
  }))
}

/** Depth first: the order in which a tree is read. */
function listed(contexts: readonly ContextFacts[], collapsed: ReadonlySet<string>): Unplaced[] {
  const known = new Set(contexts.map(({ path }) => path))
  // A key that is bound to a context may not know every parent; what hangs in the air is shown at the root.
  const parentOf = ({ path }: ContextFacts) => {
    const parent = parentPath(path)
    return parent !== undefined && known.has(parent) ? parent : undefined
  }
  const childrenOf = Map.groupBy(contexts, parentOf)
  const items: Unplaced[] = []
  const add = (parent: string | undefined, level: number) => {
    const children = (childrenOf.get(parent) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    for (const [index, context] of children.entries()) {
      const hasChildren = childrenOf.has(context.path)
      const isExpanded = hasChildren ? !collapsed.has(context.path) : undefined
      items.push({ context, level, position: index + 1, siblings: children.length, isExpanded })
      if (isExpanded === true) add(context.path, level + 1)
    }
  }
  add(undefined, 1)
  return items
}

/** So many fit on a screen; of larger trees, only the way to the chosen one is open at first. */
const MOST_OPEN = 20

/** What is closed when the tree is first shown. */
export function closedAtFirst(contexts: readonly ContextFacts[]): ReadonlySet<string> {
  if (contexts.length <= MOST_OPEN) return new Set()
  const parents = new Set(contexts.map(({ path }) => parentPath(path)))
  return new Set(contexts.map(({ path }) => path).filter((path) => path !== ROOT && parents.has(path)))
}

/** Whatever is closed, the chosen one is never hidden. */
export function openedFor(chosen: string, closed: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...closed].filter((path) => path === chosen || !isWithin(chosen, path)))
}

/** How a context stands to the chosen one: by that alone it is decided what the chosen one sees of it. */
export type Relation = 'chosen' | 'above' | 'below' | 'beside'

export function relationTo(chosen: string, path: string): Relation {
  if (path === chosen) return 'chosen'
  if (isWithin(chosen, path)) return 'above'
  return isWithin(path, chosen) ? 'below' : 'beside'
}
