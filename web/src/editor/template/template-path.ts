/** A way into a payload: keys of objects and positions in lists. */
export type ValuePath = readonly (string | number)[]

/** Characters that end a name in a template's path. */
const ENDS_NAME = /[.[:?{}]/

/**
 * A path as a template writes it: `user.name`, `items[0].sku`, `[a.b:c]`. Undefined where the template language has no
 * way to write a key: an empty one, or one that holds a `]` and needs brackets all the same.
 */
export function pathText(path: ValuePath): string | undefined {
  let text = ''
  for (const [index, key] of path.entries()) {
    const step = stepText(key, index === 0)
    if (step === undefined) return undefined
    text += step
  }
  return text === '' ? undefined : text
}

/** One step, with its dot or brackets. */
export function stepText(key: string | number, isRoot: boolean): string | undefined {
  // The first step reads the data's own keys: a number there is a key like any other.
  if (typeof key === 'number') return isRoot ? String(key) : `[${key}]`
  if (key === '') return undefined
  if (isName(key, isRoot)) return isRoot ? key : `.${key}`
  return key.includes(']') ? undefined : `[${key}]`
}

/** Space around a name does not count, and `$name` at the root means a variable of the context. */
function isName(key: string, isRoot: boolean): boolean {
  return !ENDS_NAME.test(key) && key.trim() === key && !(isRoot && key.startsWith('$') && key.length > 1)
}
