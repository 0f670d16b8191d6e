import { deflateSync, inflateSync } from 'node:zlib'
import type { ApiOperation } from '../../flows/step/api-operation.ts'
import type { JsonObject } from './document-fault.ts'
import { type DocumentFacts, type ReadOperation, readFacts, readOperations } from './read-operations.ts'

/** What a search looks at: id, method, path, title, further words, and in which part the operation is. */
export type IndexRow = readonly [
  id: string,
  method: string,
  path: string,
  title: string,
  words: string,
  part: number
]

export interface PackedDocument {
  readonly facts: DocumentFacts
  readonly operations: number
  /** Rows of the index, and operations, as `unpack` reads them. */
  readonly index: readonly string[]
  readonly parts: readonly string[]
}

/** So that one is read back in a millisecond or two, and no statement of a store is long. */
const PART_CHARACTERS = 192 * 1024
const MOST_PACKED = 24 * 1024 ** 2
const WORDS = 300

/** All that steps, forms and searches need of a document, in pieces that can be read by themselves. */
export function packDocument(document: JsonObject): PackedDocument {
  const facts = readFacts(document)
  const parts = new Pieces()
  const index = new Pieces()
  for (const read of readOperations(document)) {
    parts.add(JSON.stringify(read.operation))
    index.add(JSON.stringify(rowOf(read, parts.at)))
  }
  return { facts, operations: index.count, index: index.packed(), parts: parts.packed() }
}

function rowOf({ operation, tags }: ReadOperation, part: number): IndexRow {
  const { id, method, path, title, description } = operation
  return [id, method, path, title, `${tags.join(' ')} ${description}`.trim().slice(0, WORDS), part]
}

class Pieces {
  readonly #done: string[] = []
  #open: string[] = []
  #size = 0
  count = 0

  /** The piece that was last added to. */
  get at(): number {
    return this.#done.length
  }

  add(json: string): void {
    if (this.#size > 0 && this.#size + json.length > PART_CHARACTERS) this.#close()
    this.#open.push(json)
    this.#size += json.length
    this.count++
  }

  packed(): string[] {
    this.#close()
    return this.#done
  }

  #close(): void {
    if (this.#open.length === 0) return
    this.#done.push(deflateSync(`[${this.#open.join(',')}]`).toString('base64'))
    this.#open = []
    this.#size = 0
  }
}

export function unpackOperations(piece: string): ApiOperation[] {
  return unpack(piece) as ApiOperation[]
}

export function unpackIndex(piece: string): IndexRow[] {
  return unpack(piece) as IndexRow[]
}

function unpack(piece: string): unknown {
  return JSON.parse(inflateSync(Buffer.from(piece, 'base64'), { maxOutputLength: MOST_PACKED }).toString())
}
