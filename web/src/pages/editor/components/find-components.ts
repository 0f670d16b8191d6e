import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'

/** Components that a search means, the best first; all of them in their order where nothing is searched for. */
export function findComponents<T>(
  entries: readonly T[],
  search: string,
  factsOf: (entry: T) => Searched
): readonly T[] {
  const words = wordsOf(search)
  if (words.length === 0) return entries
  return entries
    .map((entry) => ({ entry, score: scoreOf(factsOf(entry), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}

export type Searched = Pick<ComponentFacts, 'title' | 'type' | 'category' | 'description' | 'keywords'>

/** What a component is called elsewhere, where that is why a search finds it; undefined where its own name says it. */
export function foundBy({ title, type, keywords }: Searched, search: string): string | undefined {
  const words = wordsOf(search)
  const isNamed = words.every((word) => `${title} ${type}`.toLowerCase().includes(word))
  if (words.length === 0 || isNamed) return undefined
  return (
    keywords.find((keyword) => keyword === words.join(' ')) ??
    keywords.find((keyword) => hasAll(keyword, words))
  )
}

function wordsOf(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Every word has to be found somewhere; where it is found says how good that is. */
function scoreOf(facts: Searched, words: readonly string[]): number {
  const scores = words.map((word) => wordScore(facts, word))
  if (scores.includes(0)) return 0
  const isCalledSo = facts.keywords.includes(words.join(' '))
  return scores.reduce((sum, score) => sum + score, 0) + (isCalledSo ? SAID_WHOLE : 0)
}

/** "http request" is what another product calls one component, and words of the descriptions of several. */
const SAID_WHOLE = 3

function wordScore({ title, type, category, description, keywords }: Searched, word: string): number {
  const name = title.toLowerCase()
  if (name.startsWith(word)) return 9
  if (name.split(/\s+/).some((part) => part.startsWith(word))) return 6
  if (type.startsWith(word)) return 5
  if (word.length > 1 && keywords.some((keyword) => hasAll(keyword, [word]))) return 5
  if (name.includes(word) || type.includes(word)) return 4
  if (isSpelledIn(word, name)) return 3
  if (category.toLowerCase().startsWith(word)) return 2
  return description.toLowerCase().includes(word) ? 1 : 0
}

/** Whether these words begin words of the other text. */
function hasAll(text: string, words: readonly string[]): boolean {
  const parts = text.split(/[\s-]+/)
  return words.every((word) => parts.some((part) => part.startsWith(word)))
}

/** "co" means Chat Output, as in other editors: the letters occur in this order, beginning words. */
function isSpelledIn(word: string, name: string): boolean {
  const initials = name
    .split(/\s+/)
    .map((part) => part[0])
    .join('')
  return word.length > 1 && initials.startsWith(word)
}
