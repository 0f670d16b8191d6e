/** Names and values as forms and queries have them, as an object: a name that repeats gives a list. Any name is only a name. */
export function objectOfPairs<Value>(
  pairs: Iterable<readonly [name: string, value: Value]>
): Record<string, Value | Value[]> {
  const values = new Map<string, Value | Value[]>()
  const lists = new Set<string>()
  for (const [name, value] of pairs) {
    if (lists.has(name)) (values.get(name) as Value[]).push(value)
    else if (values.has(name)) {
      values.set(name, [values.get(name) as Value, value])
      lists.add(name)
    } else values.set(name, value)
  }
  return Object.fromEntries(values)
}
