import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'

/** Components that a search means, the best first; all of them in their order where nothing is searched for. */
export function findComponents<T>(
  entries: readonly T[],
  search: string,
  factsOf: (entry: T) => Searched
): readonly T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries
    .map((entry) => ({ entry, score: scoreOf(factsOf(entry), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}

export type Searched = Pick<ComponentFacts, 'title' | 'type' | 'category' | 'description'>

/** Every word has to be found somewhere; where it is found says how good that is. */
function scoreOf(facts: Searched, words: readonly string[]): number {
  const scores = words.map((word) => wordScore(facts, word))
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

function wordScore({ title, type, category, description }: Searched, word: string): number {
  const name = title.toLowerCase()
  if (name.startsWith(word)) return 8
  if (name.split(/\s+/).some((part) => part.startsWith(word))) return 6
  if (type.startsWith(word)) return 5
  if (name.includes(word) || type.includes(word)) return 4
  if (isSpelledIn(word, name)) return 3
  if (category.toLowerCase().startsWith(word)) return 2
  return description.toLowerCase().includes(word) ? 1 : 0
}

/** "co" means Chat Output, as in other editors: the letters occur in this order, beginning words. */
function isSpelledIn(word: string, name: string): boolean {
  const initials = name
    .split(/\s+/)
    .map((part) => part[0])
    .join('')
  return word.length > 1 && initials.startsWith(word)
}
