/** An id for a new node or note: `parser-1`, with the smallest number that is free. */
export function freeId(type: string, taken: ReadonlySet<string>): string {
  const base = baseFor(type)
  for (let number = 1; ; number++) {
    const id = `${base}-${number}`
    if (!taken.has(id)) return id
  }
}

/**
 * New ids for those that are taken, by their old ones; what is free keeps its id, so that a whole flow can be pasted
 * into an empty one as it is. Ids that occur twice among `ids` are for the caller to part first.
 */
export function freshIds(ids: readonly string[], taken: ReadonlySet<string>): Map<string, string> {
  const used = new Set(taken)
  const fresh = new Map<string, string>()
  // Those that can stay come first: none of them may lose its id to a new one.
  for (const id of ids) {
    if (used.has(id)) continue
    fresh.set(id, id)
    used.add(id)
  }
  for (const id of ids) {
    if (fresh.has(id)) continue
    const found = freeId(withoutNumber(id), used)
    fresh.set(id, found)
    used.add(found)
  }
  return fresh
}

/** A pasted `parser-7` becomes `parser-1` where that is free, not `parser-7-1`. */
function withoutNumber(id: string): string {
  return id.replace(/-\d+$/, '') || id
}

/** Ids hold at most 100 characters; ten are kept for the number. */
function baseFor(type: string): string {
  return type.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 90) || 'node'
}
