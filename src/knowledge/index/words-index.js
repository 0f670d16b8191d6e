import { eachWord } from './words-of.js'

/** BM25: how soon a word that comes again counts no more, and how much long pieces are held to be merely long. */
const SATURATION = 1.2
const LENGTH = 0.75
/** Of words that only begin alike. */
const STEM_WEIGHT = 0.6
/** Whoever asks for E21 or 4711 means just that. */
const CODE_WEIGHT = 3

/** A question may be a page long: its rarest words say what it is about. */
const LONGEST_QUESTION = 10_000
const MOST_WORDS = 48
/** So many places are looked at, the rarest words first: that takes 5 ms. */
const MOST_PLACES = 500_000

/** A place holds a chunk, and above all how often the word is in it. */
const COUNT_BITS = 4
const MOST_COUNT = (1 << COUNT_BITS) - 1
/** Shorter lists are plain: a typed one takes more than its content. */
const PLAIN_LENGTH = 16

/** Which chunks hold which words. Chunks are numbers that rise. */
export class WordsIndex {
  /** Of each word the places, by rising chunk. */
  #places = new Map()
  #lengths = new Uint16Array(1024)
  #size = 0
  #totalLength = 0
  #scores = new Float32Array(1024)

  get size() {
    return this.#size
  }

  add(text) {
    const counts = new Map()
    let length = 0
    eachWord(text, (word) => {
      counts.set(word, (counts.get(word) ?? 0) + 1)
      if (!word.startsWith(' ')) length++
    })
    const chunk = this.#size++
    for (const [word, count] of counts) this.#place(word, (chunk << COUNT_BITS) | Math.min(count, MOST_COUNT))
    if (chunk >= this.#lengths.length) this.#lengths = grown(this.#lengths, chunk + 1)
    this.#lengths[chunk] = Math.min(length, 65_535)
    this.#totalLength += length
  }

  /**
   * Of each chunk how well it fits, above 0 where it does: the same array at each call. `most` is what a chunk would have with all words
   * of the question in it, also with those that are in none.
   */
  search(question, alive, aliveCount) {
    if (this.#scores.length < this.#size) this.#scores = new Float32Array(this.#lengths.length)
    const scores = this.#scores.fill(0, 0, this.#size)
    const { known, unknown } = this.#wordsOf(question)
    let left = MOST_PLACES
    let most = unknown * rarity(0, aliveCount)
    for (const { places, count, weight } of known) {
      const worth = weight * rarity(count, aliveCount)
      most += worth
      if (left > 0) this.#score(scores, { places, count, weight: worth })
      left -= count
    }
    for (let chunk = 0; chunk < this.#size; chunk++) if (alive[chunk] === 0) scores[chunk] = 0
    return { scores, most: most * (SATURATION + 1) }
  }

  /** Those that are known, the rarest first, and how much the others would weigh. */
  #wordsOf(question) {
    const asked = new Set()
    eachWord(question.slice(0, LONGEST_QUESTION), (word) => void asked.add(word))
    const known = []
    let unknown = 0
    for (const word of asked) {
      const found = this.#places.get(word)
      const weight = weightOf(word)
      if (found === undefined) {
        unknown += weight
        continue
      }
      if (Array.isArray(found)) known.push({ places: found, count: found.length, weight })
      else known.push({ ...found, weight })
    }
    known.sort((one, other) => one.count - other.count)
    return { known: known.slice(0, MOST_WORDS), unknown: Math.min(unknown, MOST_WORDS) }
  }

  #score(scores, { places, count, weight }) {
    const lengths = this.#lengths
    const average = Math.max(1, this.#totalLength / Math.max(1, this.#size))
    const flat = SATURATION * (1 - LENGTH)
    const steep = (SATURATION * LENGTH) / average
    for (let at = 0; at < count; at++) {
      const place = places[at]
      const chunk = place >>> COUNT_BITS
      const times = place & MOST_COUNT
      scores[chunk] += (weight * times * (SATURATION + 1)) / (times + flat + steep * lengths[chunk])
    }
  }

  #place(word, place) {
    const found = this.#places.get(word)
    if (found === undefined) this.#places.set(word, [place])
    else if (!Array.isArray(found)) {
      if (found.count === found.places.length) found.places = grown(found.places, found.count + 1)
      found.places[found.count++] = place
    } else if (found.length < PLAIN_LENGTH) found.push(place)
    else {
      const places = new Uint32Array(2 * PLAIN_LENGTH)
      places.set(found)
      places[found.length] = place
      this.#places.set(word, { places, count: found.length + 1 })
    }
  }
}

function weightOf(word) {
  if (word.startsWith(' ')) return STEM_WEIGHT
  return /\d/.test(word) ? CODE_WEIGHT : 1
}

function rarity(count, all) {
  return Math.log(1 + Math.max(0, all - count + 0.5) / (count + 0.5)) + 0.01
}

export function grown(array, least) {
  const larger = new array.constructor(Math.max(least, Math.ceil(array.length * 1.5)))
  larger.set(array)
  return larger
}
