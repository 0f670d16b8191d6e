import { isPlainObject, type JsonValue, type ValuePath } from '../../plugin-api.ts'
import { setMember } from './set-member.ts'

type Item = { [key: string]: JsonValue }

/** A copy without what the path leads to, which may stand deep inside. */
export function removePath(item: Item, path: ValuePath): Item {
  if (path.read(item) === undefined) return item
  return removeAt(item, Object.hasOwn(item, path.text) ? [path.text] : path.keys)
}

/** Up to so many, the engine of JavaScript copies an item for each in less time. */
const FEW = 3

/** The same for several. Members of the item itself are left out of one copy: an item may have thousands, and so may the paths. */
export function removePaths(item: Item, paths: readonly ValuePath[]): Item {
  if (paths.length <= FEW) return paths.reduce(removePath, item)
  const names = new Set<string>()
  let left = item
  for (const path of paths) {
    // Named twice, it is first the member that is written exactly so, then the one inside.
    if (Object.hasOwn(item, path.text) && !names.has(path.text)) names.add(path.text)
    else left = names.has(path.text) ? removeAt(left, path.keys) : removePath(left, path)
  }
  return names.size === 0 ? left : without(left, names)
}

function without(item: Item, names: ReadonlySet<string>): Item {
  const rest: Item = {}
  for (const name in item) if (!names.has(name)) setMember(rest, name, item[name]!)
  return rest
}

function removeAt(item: Item, [key, ...deeper]: readonly string[]): Item {
  if (deeper.length === 0) {
    const { [key!]: _, ...rest } = item
    return rest
  }
  const inner = item[key!]
  return isPlainObject(inner) ? { ...item, [key!]: removeAt(inner, deeper) } : item
}
