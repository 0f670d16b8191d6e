import { eachWord, stemOf } from './words-of.js'

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
const NONE = []
const HAS_DIGIT = /\d/

/** A word, or what stands for those that begin alike: the places where it is, by rising chunk. */
class Word {
  stem
  /** Most words are in one chunk: then there is no list. */
  last
  places = NONE
  /** How many places the list has; it may be longer. */
  count = 0

  constructor(place, stem) {
    this.last = place
    this.stem = stem
  }

  add(chunk) {
    if (this.last >>> COUNT_BITS !== chunk) {
      this.#list(this.last)
      this.last = (chunk << COUNT_BITS) | 1
    } else if ((this.last & MOST_COUNT) < MOST_COUNT) this.last++
  }

  #list(place) {
    const { places, count } = this
    if (count === 0) this.places = [place]
    else if (count < PLAIN_LENGTH) places.push(place)
    else {
      if (count === PLAIN_LENGTH) {
        this.places = new Uint32Array(2 * PLAIN_LENGTH)
        this.places.set(places)
      } else if (count === places.length) this.places = grown(places, count + 1)
      this.places[count] = place
    }
    this.count++
  }
}

/** Which chunks hold which words. Chunks are numbers that rise. */
export class WordsIndex {
  #words = new Map()
  #stems = new Map()
  #lengths = new Uint16Array(1024)
  #size = 0
  #totalLength = 0
  #scores = new Float32Array(1024)

  get size() {
    return this.#size
  }

  add(text) {
    const chunk = this.#size++
    let length = 0
    eachWord(text, (word) => {
      length++
      this.#add(word, chunk)
    })
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
    for (const { word, weight } of known) {
      const count = word.count + 1
      const worth = weight * rarity(count, aliveCount)
      most += worth
      if (left > 0) this.#score(scores, word, worth)
      left -= count
    }
    for (let chunk = 0; chunk < this.#size; chunk++) if (alive[chunk] === 0) scores[chunk] = 0
    return { scores, most: most * (SATURATION + 1) }
  }

  #add(word, chunk) {
    const known = this.#words.get(word)
    if (known !== undefined) {
      known.add(chunk)
      known.stem?.add(chunk)
    } else this.#words.set(word, new Word((chunk << COUNT_BITS) | 1, this.#addStem(stemOf(word), chunk)))
  }

  #addStem(stem, chunk) {
    if (stem === undefined) return undefined
    const known = this.#stems.get(stem)
    if (known === undefined) {
      const made = new Word((chunk << COUNT_BITS) | 1)
      this.#stems.set(stem, made)
      return made
    }
    known.add(chunk)
    return known
  }

  /** Those that are known, the rarest first, and how much the others would weigh. */
  #wordsOf(question) {
    const weights = new Map()
    let unknown = 0
    const ask = (word, weight) => {
      if (word === undefined) unknown += weight
      else weights.set(word, weight)
    }
    const asked = new Set()
    eachWord(question.slice(0, LONGEST_QUESTION), (word) => void asked.add(word))
    for (const word of asked) ask(this.#words.get(word), HAS_DIGIT.test(word) ? CODE_WEIGHT : 1)
    const stems = new Set([...asked].map(stemOf))
    stems.delete(undefined)
    for (const stem of stems) ask(this.#stems.get(stem), STEM_WEIGHT)
    const known = [...weights].map(([word, weight]) => ({ word, weight }))
    known.sort((one, other) => one.word.count - other.word.count)
    return { known: known.slice(0, MOST_WORDS), unknown: Math.min(unknown, MOST_WORDS) }
  }

  #score(scores, { places, count, last }, weight) {
    const lengths = this.#lengths
    const average = Math.max(1, this.#totalLength / Math.max(1, this.#size))
    const flat = SATURATION * (1 - LENGTH)
    const steep = (SATURATION * LENGTH) / average
    const score = (place) => {
      const chunk = place >>> COUNT_BITS
      const times = place & MOST_COUNT
      scores[chunk] += (weight * times * (SATURATION + 1)) / (times + flat + steep * lengths[chunk])
    }
    for (let at = 0; at < count; at++) score(places[at])
    score(last)
  }
}

function rarity(count, all) {
  return Math.log(1 + Math.max(0, all - count + 0.5) / (count + 0.5)) + 0.01
}

export function grown(array, least) {
  const larger = new array.constructor(Math.max(least, Math.ceil(array.length * 1.5)))
  larger.set(array)
  return larger
}
