import { grown } from './words-index.js'

/**
 * So many numbers are compared one by one: 20 ms. Beyond that the vectors are first compared by the signs of their numbers, 32 at
 * a time, and only those that agree most are looked at.
 */
const MOST_COMPARED = 12_000_000
/** How many of those that agree most, for each that is asked for, and at the least. */
const LOOKED_AT = 20
const LEAST_LOOKED_AT = 1_500
/** The mean of so many is what signs are told from: models put all texts into one corner. */
const MEAN_OF = 2_000

/** What chunks mean: vectors of bytes, one for each chunk, or none. */
export class VectorIndex {
  #dimensions
  #words
  #size = 0
  #bytes
  /** 0 where the chunk has no vector. */
  #lengths = new Float32Array(1024)
  #signs
  #mean

  constructor(dimensions) {
    this.#dimensions = dimensions
    this.#words = Math.ceil(dimensions / 32)
    this.#bytes = new Int8Array(1024 * dimensions)
  }

  get dimensions() {
    return this.#dimensions
  }

  /** In the order of the chunks; undefined for one that has no vector, or one of another length. */
  add(vector) {
    const chunk = this.#size++
    if (chunk >= this.#lengths.length) {
      this.#lengths = grown(this.#lengths, chunk + 1)
      this.#bytes = grown(this.#bytes, this.#lengths.length * this.#dimensions)
      if (this.#signs !== undefined) this.#signs = grown(this.#signs, this.#lengths.length * this.#words)
    }
    if (vector?.length !== this.#dimensions) return
    this.#bytes.set(vector, chunk * this.#dimensions)
    let sum = 0
    for (const number of vector) sum += number * number
    this.#lengths[chunk] = Math.sqrt(sum)
    if (this.#signs !== undefined) this.#sign(chunk)
  }

  has(chunk) {
    return this.#lengths[chunk] > 0
  }

  /** The chunks that mean nearly the same, the nearest first: `{ chunk, score }`, with the cosine as the score. */
  search(question, alive, limit) {
    if (this.#size * this.#dimensions <= MOST_COMPARED)
      return this.#nearest(question, this.#all(alive), limit)
    const looked = Math.max(LEAST_LOOKED_AT, LOOKED_AT * limit)
    return this.#nearest(question, this.#agreeing(question, alive, looked), limit)
  }

  *#all(alive) {
    for (let chunk = 0; chunk < this.#size; chunk++)
      if (alive[chunk] === 1 && this.#lengths[chunk] > 0) yield chunk
  }

  #nearest(question, chunks, limit) {
    const dimensions = this.#dimensions
    const bytes = this.#bytes
    let length = 0
    for (const number of question) length += number * number
    const found = new Best(limit)
    for (const chunk of chunks) {
      let product = 0
      for (let at = 0, from = chunk * dimensions; at < dimensions; at++)
        product += question[at] * bytes[from + at]
      found.offer(chunk, product / (Math.sqrt(length) * this.#lengths[chunk] || 1))
    }
    return found.sorted()
  }

  /** Those of which most signs are the same, in any order. */
  #agreeing(question, alive, most) {
    if (this.#signs === undefined) this.#signAll()
    const words = this.#words
    const signs = this.#signs
    const asked = new Int32Array(words)
    this.#signsOf(question, 0, asked, 0, lengthOf(question))
    const distances = new Uint16Array(this.#size)
    const counts = new Uint32Array(words * 32 + 2)
    for (let chunk = 0; chunk < this.#size; chunk++) {
      let distance = words * 32 + 1
      if (alive[chunk] === 1 && this.#lengths[chunk] > 0) {
        distance = 0
        for (let at = 0, from = chunk * words; at < words; at++) {
          let bits = asked[at] ^ signs[from + at]
          bits = (bits - ((bits >>> 1) & 0x55555555)) | 0
          bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
          distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
        }
      }
      distances[chunk] = distance
      counts[distance]++
    }
    let furthest = 0
    for (let sum = counts[0]; sum < most && furthest < words * 32; ) sum += counts[++furthest]
    const chunks = []
    for (let chunk = 0; chunk < this.#size; chunk++) if (distances[chunk] <= furthest) chunks.push(chunk)
    return chunks
  }

  #signAll() {
    this.#mean = this.#meanOfSome()
    // With a sign, as the engine computes: of those without it makes floating numbers.
    this.#signs = new Int32Array(this.#lengths.length * this.#words)
    for (let chunk = 0; chunk < this.#size; chunk++) this.#sign(chunk)
  }

  #meanOfSome() {
    const mean = new Float32Array(this.#dimensions)
    const step = Math.max(1, Math.floor(this.#size / MEAN_OF))
    let count = 0
    for (let chunk = 0; chunk < this.#size; chunk += step) {
      const length = this.#lengths[chunk]
      if (length === 0) continue
      for (let at = 0, from = chunk * this.#dimensions; at < this.#dimensions; at++)
        mean[at] += this.#bytes[from + at] / length
      count++
    }
    return mean.map((sum) => sum / Math.max(1, count))
  }

  #sign(chunk) {
    this.#signsOf(
      this.#bytes,
      chunk * this.#dimensions,
      this.#signs,
      chunk * this.#words,
      this.#lengths[chunk]
    )
  }

  #signsOf(numbers, from, signs, to, length) {
    for (let word = 0; word < this.#words; word++) {
      let bits = 0
      for (let bit = 0; bit < 32; bit++) {
        const at = word * 32 + bit
        if (at < this.#dimensions && numbers[from + at] > this.#mean[at] * length) bits |= 1 << bit
      }
      signs[to + word] = bits
    }
  }
}

function lengthOf(vector) {
  let sum = 0
  for (const number of vector) sum += number * number
  return Math.sqrt(sum)
}

/** The best of what is offered: a heap with the worst of them on top. */
export class Best {
  #limit
  #chunks = []
  #scores = []

  constructor(limit) {
    this.#limit = limit
  }

  offer(chunk, score) {
    const [chunks, scores] = [this.#chunks, this.#scores]
    if (chunks.length === this.#limit) {
      if (!(score > scores[0])) return
      chunks[0] = chunk
      scores[0] = score
      this.#sink()
      return
    }
    let at = chunks.push(chunk) - 1
    scores.push(score)
    for (let above = (at - 1) >> 1; at > 0 && scores[at] < scores[above]; above = (at - 1) >> 1) {
      this.#swap(at, above)
      at = above
    }
  }

  /** The best first; of those that are as good, the one that was there first. */
  sorted() {
    return this.#chunks
      .map((chunk, at) => ({ chunk, score: this.#scores[at] }))
      .sort((one, other) => other.score - one.score || one.chunk - other.chunk)
  }

  #sink() {
    const scores = this.#scores
    for (let at = 0; ; ) {
      let least = at
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < scores.length && scores[below] < scores[least]) least = below
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #swap(one, other) {
    const [chunks, scores] = [this.#chunks, this.#scores]
    const [chunk, score] = [chunks[one], scores[one]]
    chunks[one] = chunks[other]
    scores[one] = scores[other]
    chunks[other] = chunk
    scores[other] = score
  }
}
