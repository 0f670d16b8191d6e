/** Whether two JSON values are the same; the order of members does not count. What was shared is not looked into. */
export function equalJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    return Array.isArray(one) && Array.isArray(other) && equalLists(one, other)
  }
  return equalMembers(one as Members, other as Members)
}

type Members = Readonly<Record<string, unknown>>

function equalLists(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => equalJson(value, other[index]))
}

function equalMembers(one: Members, other: Members): boolean {
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && equalJson(one[name], other[name]))
}
