import { createHash } from 'node:crypto'
import { type Embedded, MOST_TEXTS } from '../components/language-model/embed-texts.ts'
import type { Turns } from '../flows/in-turns.ts'
import { isPlainObject, type JsonValue, parseJson, writeJson } from '../flows/json/exact-json.ts'
import type { KnowledgeMatch, KnowledgeQuestion, WrittenText } from '../flows/step/step-knowledge.ts'
import type { Chunk, KnowledgeStore, StoredCollection } from '../store/collections.ts'
import { chunkText } from './chunk-text.ts'
import type { KnowledgeIndex } from './index/knowledge-index.ts'
import {
  collectionFull,
  collectionNotFound,
  questionInvalid,
  textInvalid,
  withoutModel
} from './knowledge-refusals.ts'
import { packVector } from './pack-vector.ts'

/** In characters. */
export const LONGEST_ID = 500
const LONGEST_TEXT = 5_000_000
export const LONGEST_QUERY = 10_000
export const MOST_MATCHES = 100
/** Of its JSON, in characters. */
const LONGEST_METADATA = 16_384
/** What one is searched in within 50 ms. */
const MOST_CHUNKS = 250_000
/** More are asked for at once than a provider is asked in one call. */
const CALLS_AT_ONCE = 4

/** Asks the model of a collection what texts mean. */
export type Embed = (texts: readonly string[], areQuestions: boolean) => Promise<Embedded>

/** Who writes or searches. */
export interface Asking {
  /** Absent where the collection has no model. */
  readonly embed: Embed | undefined
  /** Asks the store; a step asks until it answers. */
  readonly persist: <T>(ask: () => Promise<T>) => Promise<T>
}

type InTurns = <T>(work: Turns<T>) => T | Promise<T>

interface KnowledgeDeps {
  readonly store: KnowledgeStore
  readonly index: Pick<KnowledgeIndex, 'search'>
  readonly newId: () => string
  readonly now: () => number
}

/** Writes texts into collections and finds them again. */
export class Knowledge {
  readonly #deps: KnowledgeDeps

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps
  }

  /** Pieces first, then the text itself: it is there as a whole or not at all, and the same text again takes its own place. */
  async write(
    collection: StoredCollection,
    written: WrittenText,
    { embed, persist, inTurns }: Asking & { readonly inTurns: InTurns }
  ): Promise<{ readonly id: string; readonly chunks: number; readonly tokens: number }> {
    const { store, newId, now } = this.#deps
    const metadata = assertText(written)
    const id = written.id || idOf(written.text)
    const most = MOST_CHUNKS - collection.chunks
    const texts = await inTurns(chunkText(written.text, { ...written, most }))
    if (texts === undefined) throw collectionFull(collection, MOST_CHUNKS)
    if (texts.length === 0) throw textInvalid(NOTHING_TO_WRITE)
    const content = newId()
    let tokens = 0
    for (let from = 0; from < texts.length; from += AT_ONCE) {
      const slice = texts.slice(from, from + AT_ONCE)
      const embedded = await embedAll(slice, embed)
      tokens += embedded.tokens
      await persist(() => store.addChunks(content, from, embedded.chunks, now()))
    }
    const text = { collectionId: collection.id, id, content, chunks: texts.length, metadata }
    const model = embed === undefined ? null : collection.model
    const result = await persist(() => store.put({ ...text, model, updatedAt: now() }))
    if (result === 'gone') throw collectionNotFound()
    if (result !== 'done') throw new Error('The pieces of the text were swept before it was written.')
    return { id, chunks: texts.length, tokens }
  }

  async search(
    collection: StoredCollection,
    question: KnowledgeQuestion,
    { embed, persist }: Asking
  ): Promise<{ readonly matches: readonly KnowledgeMatch[]; readonly tokens: number }> {
    const { mode, limit } = question
    const filter = assertQuestion(question)
    if (mode === 'Meaning' && embed === undefined) throw withoutModel(collection)
    const query = question.query.slice(0, LONGEST_QUERY)
    if (query.trim() === '') return { matches: [], tokens: 0 }
    const embedded = mode === 'Words' ? undefined : await embed?.([query], true)
    const found = await this.#deps.index.search(collection, {
      query,
      limit,
      filter,
      mode: embedded === undefined ? 'Words' : mode,
      ...(embedded !== undefined && { vector: Float32Array.from(embedded.vectors[0]!) })
    })
    const pieces = await persist(() => this.#deps.store.found(collection.id, found))
    const byPlace = new Map(pieces.map((piece) => [`${piece.revision}/${piece.place}`, piece]))
    const matches = found.flatMap(({ revision, place, score }) => {
      // It may have been removed a moment ago.
      const piece = byPlace.get(`${revision}/${place}`)
      if (piece === undefined) return []
      const { id, text, metadata } = piece
      return [{ id, text, score: Math.round(score * 1e6) / 1e6, metadata: parseJson(metadata) }]
    })
    return { matches, tokens: embedded?.tokens ?? 0 }
  }
}

export const AT_ONCE = CALLS_AT_ONCE * MOST_TEXTS

const NOTHING_TO_WRITE =
  'There is nothing to write: the text is empty. Wire one to the node, or fill in its field "text".'

/** As many as `AT_ONCE`. */
export async function embedAll(
  texts: readonly string[],
  embed: Embed | undefined
): Promise<{ readonly chunks: readonly Chunk[]; readonly tokens: number }> {
  if (embed === undefined) return { chunks: texts.map((text) => ({ text, vector: null })), tokens: 0 }
  const calls: Promise<Embedded>[] = []
  for (let from = 0; from < texts.length; from += MOST_TEXTS)
    calls.push(embed(texts.slice(from, from + MOST_TEXTS), false))
  const answers = await Promise.all(calls)
  const vectors = answers.flatMap((answer) => answer.vectors.map(packVector))
  return {
    chunks: texts.map((text, place) => ({ text, vector: vectors[place]! })),
    tokens: answers.reduce((sum, { tokens }) => sum + tokens, 0)
  }
}

/** The same for the same text, so that it is there once. */
function idOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function assertText({ id, text, metadata, chunk, overlap }: WrittenText): string {
  if (id.length > LONGEST_ID)
    throw textInvalid(
      `The id of a text has at most ${LONGEST_ID} characters, and this one has ${id.length}. Shorten it, or put a Hash of it there.`
    )
  if (text.length > LONGEST_TEXT)
    throw textInvalid(
      `The text has ${text.length} characters, and ${LONGEST_TEXT} can be written at once. Write it in parts, each with an id of its own.`
    )
  if (overlap >= chunk) throw textInvalid(`The overlap (${overlap}) must be smaller than a piece (${chunk}).`)
  return objectText(metadata, 'metadata', textInvalid)
}

function assertQuestion({ limit, filter }: KnowledgeQuestion): string {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_MATCHES)
    throw questionInvalid(`The limit is ${limit}. Ask for 1 to ${MOST_MATCHES} matches.`)
  return objectText(filter, 'filter', questionInvalid)
}

function objectText(value: JsonValue, what: string, invalid: (message: string) => Error): string {
  if (value === null) return '{}'
  if (!isPlainObject(value))
    throw invalid(`The ${what} must be an object, such as {"language": "en"}. Put it into one.`)
  const text = writeJson(value)
  if (text.length <= LONGEST_METADATA) return text
  throw invalid(
    `The ${what} has ${text.length} characters as JSON, and ${LONGEST_METADATA} are the most. Leave out what no search asks for.`
  )
}
