import { parentPath } from '../../../../../src/contexts/context-path.ts'
import type { TreeItem } from './tree-layout.ts'

/** What a key does in a tree: it goes somewhere, or opens or closes what it is at. */
type TreeMove =
  | { readonly go: string }
  | { readonly expand: string }
  | { readonly collapse: string }
  | undefined

/** The keys that everybody knows from trees (the pattern of the ARIA practices). */
export function treeMove(items: readonly TreeItem[], at: string, key: string): TreeMove {
  const index = items.findIndex(({ context }) => context.path === at)
  const item = items[index]
  if (item === undefined) return undefined
  const goTo = (target: TreeItem | undefined): TreeMove =>
    target === undefined ? undefined : { go: target.context.path }
  switch (key) {
    case 'ArrowDown':
      return goTo(items[index + 1])
    case 'ArrowUp':
      return goTo(items[index - 1])
    case 'Home':
      return goTo(items[0])
    case 'End':
      return goTo(items.at(-1))
    case 'ArrowRight':
      if (item.isExpanded === undefined) return undefined
      return item.isExpanded ? goTo(items[index + 1]) : { expand: at }
    case 'ArrowLeft':
      if (item.isExpanded === true) return { collapse: at }
      return goTo(items.find(({ context }) => context.path === parentPath(at)))
    default:
      return byLetter(items, index, key)
  }
}

/** The next context whose name begins with the letter. */
function byLetter(items: readonly TreeItem[], index: number, key: string): TreeMove {
  if (!/^[\p{L}\p{N}_-]$/u.test(key)) return undefined
  const others = [...items.slice(index + 1), ...items.slice(0, index)]
  const found = others.find(({ context }) => context.name.toLowerCase().startsWith(key.toLowerCase()))
  return found === undefined ? undefined : { go: found.context.path }
}
