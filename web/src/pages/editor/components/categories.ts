/** Those that the service brings, in the order in which a flow is built; each has a hue of its own. */
const KNOWN = ['Triggers', 'Logic', 'Waiting', 'Processing', 'Data', 'Reach out', 'Models', 'Outputs']

/** Behind all others, whatever they begin with. */
const LAST = ['Other', 'Notes']

/** How many hues there are for categories that plugins bring. */
const SPARE_HUES = 5

/** Which hue of category.module.css a category has: one that nobody knew beforehand has the same one everywhere. */
export function hueOf(category: string | undefined): string | undefined {
  if (category === undefined || KNOWN.includes(category) || LAST.includes(category)) return category
  const sum = [...category].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)!) % 9973, 7)
  return `spare-${sum % SPARE_HUES}`
}

/** Entries by category: the known ones, then those of plugins by name. */
export function byCategory<T>(
  entries: readonly T[],
  categoryOf: (entry: T) => string
): readonly (readonly [category: string, entries: readonly T[]])[] {
  const groups = [...Map.groupBy(entries, categoryOf)]
  return groups.toSorted(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other))
}

function rank(category: string): number {
  const known = KNOWN.indexOf(category)
  if (known !== -1) return known
  return KNOWN.length + 1 + LAST.indexOf(category)
}
