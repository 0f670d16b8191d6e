import type { JsonValue } from '../json/exact-json.ts'

/** A text that is to be found again. */
export interface WrittenText {
  /** Another text of the same id is replaced. */
  readonly id: string
  readonly text: string
  /** An object that searches can be filtered by. */
  readonly metadata: JsonValue
  /** So many characters at the most go into one piece, and so many of them are in the one before as well. */
  readonly chunk: number
  readonly overlap: number
}

export type SearchMode = 'Both' | 'Meaning' | 'Words'

export interface KnowledgeQuestion {
  readonly query: string
  readonly limit: number
  readonly mode: SearchMode
  /** Only texts whose metadata has these members are found: an object. */
  readonly filter: JsonValue
}

export interface KnowledgeMatch {
  /** Of the text that the piece is of. */
  readonly id: string
  readonly text: string
  /** From 0 to 1, the best first; it compares within one search. */
  readonly score: number
  readonly metadata: JsonValue
}

/** What a model was asked meanwhile, in the members that a step reports as its usage. */
export interface EmbeddingUsage {
  readonly connection: string
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  readonly cached_tokens: number
  readonly output_tokens: number
  readonly total_tokens: number
  /** In the operator's currency; null where the model has no price. */
  readonly cost: number | null
}

/** Collections that the flow's context sees, by their names. Whatever cannot be done is thrown as an error of the step. */
export interface Knowledge {
  write(
    collection: string,
    text: WrittenText
  ): Promise<{ readonly id: string; readonly chunks: number; readonly usage?: EmbeddingUsage }>
  search(
    collection: string,
    question: KnowledgeQuestion
  ): Promise<{ readonly matches: readonly KnowledgeMatch[]; readonly usage?: EmbeddingUsage }>
}
