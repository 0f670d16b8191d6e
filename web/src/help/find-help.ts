/** A part of the help that a search can lead to. */
export interface HelpSection {
  /** Below /help/, with its anchor: `senders#github`. */
  readonly to: string
  /** Of the page that it is on. */
  readonly title: string
  readonly heading: string
  readonly beginning: string
  readonly words: string
}

const WORD = /[\p{L}\p{N}_]+/gu

/** What holds every word that was typed, or begins with it; what has them in its heading comes first. */
export function findHelp(
  sections: readonly HelpSection[],
  search: string,
  most: number
): readonly HelpSection[] {
  const terms = (search.toLowerCase().match(WORD) ?? []).map(singular)
  if (terms.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, terms), depth: depthOf(section, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.depth - b.depth)
    .slice(0, most)
    .map(({ section }) => section)
}

/** So that "webhooks" finds "webhook"; the beginning of a word is enough. */
function singular(term: string): string {
  return term.length > 3 && /[^s]s$/.test(term) ? term.slice(0, -1) : term
}

function scoreOf({ heading, title, words }: HelpSection, terms: readonly string[]): number {
  const [ofHeading, ofTitle] = [heading, title].map((text) => text.toLowerCase().match(WORD) ?? [])
  const inHeading = terms.map((term) => wordScore(ofHeading!, term))
  const scores = terms.map((term, at) => {
    const inTitle = wordScore(ofTitle!, term) * 2
    return inHeading[at]! * 6 + inTitle + wordScore(words.split(' '), term)
  })
  const isWhole = ofHeading!.length === terms.length && !inHeading.includes(0)
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, isWhole ? 6 : 0)
}

/** How far into it what was typed comes first: a text begins with what it is about. Errors are looked for by their codes. */
function depthOf({ title, words }: HelpSection, terms: readonly string[]): number {
  if (title === 'Errors') return Number.MAX_SAFE_INTEGER
  return Math.max(...terms.map((term) => ` ${words}`.indexOf(` ${term}`)))
}

/** Two for a word itself or several of it, one for the beginning of one. */
function wordScore(words: readonly string[], term: string): number {
  if (words.includes(term) || words.includes(`${term}s`)) return 2
  return words.some((word) => word.startsWith(term)) ? 1 : 0
}
