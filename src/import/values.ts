/** What stands in other tools' files may be anything: these read it as what it should be, or as nothing. */

export interface Members {
  readonly [name: string]: unknown
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Lists may hold anything besides. */
export function membersIn(value: unknown): Members[] {
  return listOf(value).filter(isMembers)
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A value inside of others; undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner: unknown = value
  for (const step of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined
    inner = (inner as Members)[step]
  }
  return inner
}

/** Within what a field of the kind takes. */
export function bounded(value: unknown, least: number, most: number): number | undefined {
  const number = numberOf(value)
  return number === undefined ? undefined : Math.min(most, Math.max(least, Math.round(number)))
}
