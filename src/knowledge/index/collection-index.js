import { Best, VectorIndex } from './vector-index.js'
import { grown, WordsIndex } from './words-index.js'

/** So many of each way are weighed against each other. */
const FUSED = 100
/** What meaning weighs where both are asked. Measured with collection-index.test.ts. */
const MEANING = 0.5

/**
 * One collection, as it is searched: which pieces hold which words, and what they mean. A piece is told by the revision of its text
 * and by its place in there. What was removed stays in the lists, and is passed by.
 */
export class CollectionIndex {
  #words = new WordsIndex()
  #vectors
  #model
  #size = 0
  #alive = new Uint8Array(1024)
  #aliveCount = 0
  /** Of each chunk the text, and its place there. */
  #textOf = new Uint32Array(1024)
  #placeOf = new Uint32Array(1024)
  /** By the number of the text: its revision, id, chunks and what it can be filtered by. */
  #texts = []
  #byId = new Map()
  #properties = new Map()

  /** `model`: vectors of another one are passed by. */
  constructor(model) {
    this.#model = model
  }

  get alive() {
    return this.#aliveCount
  }

  /** Whether most of it is of the past: then it is better made anew. */
  get isOld() {
    return this.#size > 10_000 && this.#aliveCount * 2 < this.#size
  }

  /** In the order in which they were written. */
  add(pieces) {
    for (const piece of pieces) this.#add(piece)
  }

  /** Only what is of these revisions stays. */
  retain(revisions) {
    const stay = new Set(revisions)
    for (const text of [...this.#byId.values()]) if (!stay.has(this.#texts[text].revision)) this.#forget(text)
  }

  /** Scores are from 0 to 1, and compare within one search. */
  search({ query, vector, mode, limit, filter }) {
    const alive = this.#allowed(filterIn(filter))
    if (mode === 'Words') return this.#told(this.#byWords(query, alive, limit))
    if (mode === 'Meaning') return this.#told(this.#byMeaning(vector, alive, limit))
    const best = new Best(limit)
    const scores = new Map()
    const add = (found, weight) => {
      for (const { chunk, score } of found) scores.set(chunk, (scores.get(chunk) ?? 0) + weight * score)
    }
    const byMeaning = this.#byMeaning(vector, alive, FUSED)
    const meaning = byMeaning.length === 0 ? 0 : MEANING * this.#shareWithMeaning(alive)
    add(this.#byWords(query, alive, FUSED), 1 - meaning)
    add(spread(byMeaning), meaning)
    for (const [chunk, score] of scores) best.offer(chunk, score)
    return this.#told(best.sorted())
  }

  /** 1 is what holds every word of the question: one that shares nothing but "the" with it is far from that. */
  #byWords(query, alive, limit) {
    const { scores, most } = this.#words.search(query, alive, this.#aliveCount)
    const best = new Best(limit)
    for (let chunk = 0; chunk < this.#size; chunk++)
      if (scores[chunk] > 0) best.offer(chunk, Math.min(1, scores[chunk] / most))
    return best.sorted()
  }

  /** While texts get another model, the first that have it would come before all that are found by their words. */
  #shareWithMeaning(alive) {
    let [all, having] = [0, 0]
    for (let chunk = 0; chunk < this.#size; chunk++) {
      if (alive[chunk] !== 1) continue
      all++
      if (this.#vectors.has(chunk)) having++
    }
    return having / all
  }

  #byMeaning(vector, alive, limit) {
    if (vector === undefined || this.#vectors?.dimensions !== vector.length) return []
    return this.#vectors.search(vector, alive, limit)
  }

  #told(found) {
    return found.map(({ chunk, score }) => ({
      revision: this.#texts[this.#textOf[chunk]].revision,
      place: this.#placeOf[chunk],
      score: Math.min(1, Math.max(0, score))
    }))
  }

  #add({ id, revision, model, metadata, place, text, vector }) {
    const chunk = this.#size++
    if (chunk >= this.#alive.length) {
      this.#alive = grown(this.#alive, chunk + 1)
      this.#textOf = grown(this.#textOf, this.#alive.length)
      this.#placeOf = grown(this.#placeOf, this.#alive.length)
    }
    const number = this.#textNumber(id, revision, metadata)
    this.#texts[number].chunks.push(chunk)
    this.#textOf[chunk] = number
    this.#placeOf[chunk] = place
    this.#alive[chunk] = 1
    this.#aliveCount++
    this.#words.add(text)
    this.#addVector(chunk, model === this.#model && vector !== null ? bytesOf(vector) : undefined)
  }

  #addVector(chunk, vector) {
    if (this.#vectors === undefined) {
      if (vector === undefined) return
      this.#vectors = new VectorIndex(vector.length)
      for (let before = 0; before < chunk; before++) this.#vectors.add(undefined)
    }
    this.#vectors.add(vector)
  }

  #textNumber(id, revision, metadata) {
    const known = this.#byId.get(id)
    if (known !== undefined && this.#texts[known].revision === revision) return known
    if (known !== undefined) this.#forget(known)
    const number = this.#texts.push({ revision, id, chunks: [], properties: this.#numbered(metadata) }) - 1
    this.#byId.set(id, number)
    return number
  }

  #forget(number) {
    const { id, chunks } = this.#texts[number]
    for (const chunk of chunks) this.#alive[chunk] = 0
    this.#aliveCount -= chunks.length
    this.#texts[number] = undefined
    this.#byId.delete(id)
  }

  #numbered(metadata) {
    if (metadata === '{}') return NONE
    const properties = propertiesIn(metadata).map((property) => {
      const known = this.#properties.get(property)
      if (known !== undefined) return known
      this.#properties.set(property, this.#properties.size)
      return this.#properties.size - 1
    })
    return Uint32Array.from(properties)
  }

  /** `filter`: of each member one of these properties has to be there. */
  #allowed(filter) {
    if (filter.length === 0) return this.#alive
    const asked = filter.map((any) => new Set(any.map((property) => this.#properties.get(property))))
    const fits = this.#texts.map(
      (text) => text !== undefined && asked.every((any) => text.properties.some((one) => any.has(one)))
    )
    const allowed = new Uint8Array(this.#alive.length)
    for (let chunk = 0; chunk < this.#size; chunk++)
      if (this.#alive[chunk] === 1 && fits[this.#textOf[chunk]]) allowed[chunk] = 1
    return allowed
  }
}

/** Of each model the cosines lie elsewhere, and close together: from the last of those that were found to the first. */
function spread(found) {
  const [first, last] = [found[0]?.score ?? 0, found.at(-1)?.score ?? 0]
  const least = found.length < FUSED ? Math.min(last, first / 2) : last
  return found.map(({ chunk, score }) => ({ chunk, score: (score - least) / (first - least || 1) }))
}

const NONE = new Uint32Array(0)

function bytesOf(vector) {
  const bytes = Buffer.from(vector, 'base64')
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

const DEEPEST = 20

/** What a value can be found by, from its JSON: each member by its path, and of a list each item. A number is the same as its text. */
export function propertiesIn(json) {
  return [...propertiesOf(JSON.parse(json, withDigits), '', 0)]
}

/** What a filter asks for, from its JSON: for each path the properties of which one has to be there. An empty list finds nothing. */
export function filterIn(json) {
  const byPath = new Map()
  collect(JSON.parse(json, withDigits), '', 0)
  return [...byPath.values()]

  function collect(value, path, depth) {
    if (value === null || typeof value !== 'object') byPath.set(path, [`${path}\n=${value}`])
    else if (Array.isArray(value)) byPath.set(path, [...propertiesOf(value, path, depth)])
    else for (const [name, member] of Object.entries(value)) collect(member, `${path}\n${name}`, depth + 1)
  }
}

/** Ids of many digits differ in the last of them. */
function withDigits(_, value, { source } = {}) {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? source : value
}

function* propertiesOf(value, path, depth) {
  if (depth > DEEPEST) return
  if (Array.isArray(value)) for (const item of value) yield* propertiesOf(item, path, depth + 1)
  else if (value !== null && typeof value === 'object')
    for (const [name, member] of Object.entries(value))
      yield* propertiesOf(member, `${path}\n${name}`, depth + 1)
  else yield `${path}\n=${value}`
}
