import { isPlainObject, type JsonValue, type ValuePath } from '../../plugin-api.ts'

type Item = { [key: string]: JsonValue }

/** A copy without what the path leads to, which may stand deep inside. */
export function removePath(item: Item, path: ValuePath): Item {
  if (path.read(item) === undefined) return item
  return removeAt(item, Object.hasOwn(item, path.text) ? [path.text] : path.keys)
}

function removeAt(item: Item, [key, ...deeper]: readonly string[]): Item {
  const { [key!]: inner, ...rest } = item
  if (deeper.length === 0) return rest
  return isPlainObject(inner) ? { ...item, [key!]: removeAt(inner, deeper) } : item
}
