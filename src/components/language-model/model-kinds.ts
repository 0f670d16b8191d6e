/** Kinds of connection that lead to models. */
export const MODEL_KINDS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
export type ModelKind = (typeof MODEL_KINDS)[number]

/** Those of them that say what texts mean. */
export const EMBEDDING_KINDS = [
  'openai',
  'google',
  'openai-compatible'
] as const satisfies readonly ModelKind[]
export type EmbeddingKind = (typeof EMBEDDING_KINDS)[number]
