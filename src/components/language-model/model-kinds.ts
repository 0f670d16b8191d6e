/** Kinds of connection that lead to models. */
export const MODEL_KINDS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
export type ModelKind = (typeof MODEL_KINDS)[number]
