import type { Turns } from '../../flows/in-turns.ts'
import { WorkMeter } from '../../flows/json/work-meter.ts'
import { type IndexRow, unpackIndex } from './pack-document.ts'

/** An operation as it is found: what it does, and where it is kept. */
export interface FoundOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly title: string
  readonly part: number
}

interface Entry extends FoundOperation {
  readonly titleText: string
  readonly nameText: string
  readonly otherText: string
}

const MOST_WORDS = 12
const ENTRIES_OF_TURN = 50
/** They say nothing of what is done, and are looked for only where there is nothing else. */
const FILLERS = ['a', 'an', 'the', 'of', 'for', 'to', 'in', 'on', 'and', 'or', 'with', 'by', 'from', 'all']

/** The operations of one document, to be found by their names and by what they do. */
export class OperationIndex {
  readonly #entries: readonly Entry[]
  readonly #byName = new Map<string, Entry>()

  private constructor(entries: readonly Entry[]) {
    this.#entries = entries
    // An id comes before a place that reads the same.
    for (const entry of this.#entries) this.#byName.set(`${entry.method} ${entry.path}`, entry)
    for (const entry of this.#entries) this.#byName.set(entry.id, entry)
  }

  /** From the pieces that it is kept in. */
  static *read(pieces: readonly string[]): Turns<OperationIndex> {
    const entries: Entry[] = []
    for (const piece of pieces) {
      for (const row of unpackIndex(piece)) {
        entries.push(entryOf(row))
        if (entries.length % ENTRIES_OF_TURN === 0) yield
      }
      yield
    }
    return new OperationIndex(entries)
  }

  /** By its id, or as `GET /path`. */
  find(name: string): FoundOperation | undefined {
    const wanted = name.trim()
    const place = /^([A-Za-z]+)\s+(\/.*)$/.exec(wanted)
    return (
      this.#byName.get(wanted) ??
      (place === null ? undefined : this.#byName.get(`${place[1]!.toUpperCase()} ${place[2]}`))
    )
  }

  /** What has most of the words, and those in the best places; all in their order where nothing is asked for. */
  *search(asked: string): Turns<FoundOperation[]> {
    const words = wordsOf(asked)
    if (words.length === 0) return [...this.#entries]
    const meter = new WorkMeter()
    const found: { entry: Entry; missed: number; score: number }[] = []
    const exact = this.find(asked)
    for (const entry of this.#entries) {
      const scores = words.map((word) => scoreOf(entry, word))
      const missed = scores.filter((score) => score === 0).length
      const score = scores.reduce((sum, one) => sum + one, entry === exact ? EXACT : 0)
      if (missed < words.length || entry === exact)
        found.push({ entry, missed: entry === exact ? 0 : missed, score })
      if (meter.isTurnOver(words.length * entry.otherText.length)) yield
    }
    const fewest = found.reduce((least, { missed }) => Math.min(least, missed), words.length)
    return found
      .filter(({ missed }) => missed === fewest)
      .sort((one, other) => other.score - one.score)
      .map(({ entry }) => entry)
  }
}

const EXACT = 1_000
const [IN_TITLE, IN_NAME, ELSEWHERE, WHOLE] = [6, 3, 1, 2]

function scoreOf({ titleText, nameText, otherText }: Entry, word: string): number {
  const whole = (text: string) => (text.includes(` ${word} `) ? WHOLE : 0)
  if (titleText.includes(` ${word}`)) return IN_TITLE + whole(titleText)
  if (nameText.includes(` ${word}`)) return IN_NAME + whole(nameText)
  return otherText.includes(` ${word}`) ? ELSEWHERE : 0
}

function entryOf([id, method, path, title, words, part]: IndexRow): Entry {
  return {
    id,
    method,
    path,
    title,
    part,
    titleText: spaced(title),
    nameText: spaced(`${method} ${id} ${path}`),
    otherText: spaced(words)
  }
}

/** In lower case, each word between spaces: also those that are written together, as in `listAllIssues`. */
function spaced(text: string): string {
  const apart = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return ` ${apart.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `
}

/** One issue is found where many are spoken of. */
function wordsOf(asked: string): string[] {
  const words = spaced(asked.slice(0, 300))
    .trim()
    .split(' ')
    .filter((word) => word !== '')
  const telling = words.filter((word) => !FILLERS.includes(word))
  return (telling.length > 0 ? telling : words)
    .slice(0, MOST_WORDS)
    .map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word))
}
