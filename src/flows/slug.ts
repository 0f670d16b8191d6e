/** A name may be as long as a document before it is refused for that. */
const LONGEST_READ = 1_000
/** After so many that others hold and do not show, a person has to choose. */
export const MOST_SLUGS_TRIED = 20

/** A slug for a name, free among the taken ones: `Orders (EU)` becomes `orders-eu`, then `orders-eu-2`. */
export function slugFor(name: unknown, isTaken: (slug: string) => boolean): string {
  const base = (typeof name === 'string' && slugify(name.slice(0, LONGEST_READ))) || 'flow'
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : `${base}-${n}`
    if (!isTaken(slug)) return slug
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
