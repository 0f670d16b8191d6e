/** A name may be as long as a document before it is refused for that. */
const LONGEST_READ = 1_000
/** After so many that others hold and do not show, a person has to choose. */
export const MOST_SLUGS_TRIED = 20

/** A slug for a name, free among the taken ones: `Orders (EU)` becomes `orders-eu`, then `orders-eu-2`. */
export function slugFor(name: unknown, isTaken: (slug: string) => boolean): string {
  return slugsFor(isTaken)(name)
}

/** Gives another one with each call. It goes on where it was: a thousand flows of one name are not a million looks. */
export function slugsFor(isTaken: (slug: string) => boolean): (name: unknown) => string {
  const given = new Set<string>()
  const tried = new Map<string, number>()
  return (name) => {
    const base = (typeof name === 'string' && slugify(name.slice(0, LONGEST_READ))) || 'flow'
    for (let n = (tried.get(base) ?? 0) + 1; ; n++) {
      const slug = n === 1 ? base : `${base}-${n}`
      if (given.has(slug) || isTaken(slug)) continue
      tried.set(base, n)
      given.add(slug)
      return slug
    }
  }
}

export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 70)
    .replace(/^-+|-+$/g, '')
}
