import type { TextChunk } from '../../store/collections.ts'

export interface IndexQuestion {
  readonly query: string
  /** What the question means; absent where words alone are asked for. */
  readonly vector?: Float32Array
  readonly mode: 'Both' | 'Meaning' | 'Words'
  readonly limit: number
  /** As JSON: what the metadata of a text has to hold. */
  readonly filter: string
}

export interface IndexMatch {
  readonly revision: number
  readonly place: number
  readonly score: number
}

export class CollectionIndex {
  constructor(model: string | null)
  readonly alive: number
  readonly isOld: boolean
  add(pieces: readonly TextChunk[]): void
  retain(revisions: readonly number[]): void
  search(question: IndexQuestion): IndexMatch[]
}
