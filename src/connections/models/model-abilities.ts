/** What a provider tells of a model, as far as one of them does. */
export interface ToldModel {
  readonly id?: unknown
  readonly name?: unknown
  /** Google: how it can be called. */
  readonly supportedGenerationMethods?: unknown
  readonly thinking?: unknown
  /** Anthropic (`{ image_input: { supported: true } }`) and Mistral (`{ vision: true }`). */
  readonly capabilities?: unknown
  /** OpenRouter: what goes in and comes out, and what a call may ask for. */
  readonly architecture?: unknown
  readonly supported_parameters?: unknown
  /** Together: `chat`, `embedding`, `image`. */
  readonly type?: unknown
}

/** What a model can do, and the words by which providers say so; in the order in which people are told. */
const ABILITIES: readonly (readonly [ability: string, told: RegExp])[] = [
  ['text', /^(?:chat|completion_chat|generateContent|out:text|language|text-generation)$/],
  ['images', /^(?:vision|image_input|in:image)$/],
  ['documents', /^(?:pdf_input|ocr|in:file)$/],
  ['sound', /^(?:audio|audio_input|in:audio)$/],
  ['tools', /^(?:function_calling|tools|tool_use|tool_calling)$/],
  ['structured output', /^structured_outputs?$/],
  ['reasoning', /^(?:thinking|reasoning)$/],
  ['embeddings', /^(?:embedding|embeddings|embedContent|out:embeddings)$/],
  ['making images', /^(?:image|image_generation|out:image)$/],
  ['moderation', /^(?:moderation|classification)$/]
]

/** OpenAI lists all that it has under one address, and says of none what it is for: by their names. */
const NAMED: readonly (readonly [ability: string, name: RegExp])[] = [
  ['embeddings', /embedding/],
  ['moderation', /moderation/],
  ['transcription', /whisper|transcribe/],
  ['speech', /tts/],
  ['making images', /dall-e|image/],
  ['making films', /sora/],
  ['sound', /realtime|audio/],
  ['completion', /davinci|babbage/]
]

/** Empty where nobody says: to guess would be to promise. */
export function abilitiesOf(model: ToldModel, kind: string): readonly string[] {
  const told = wordsOf(model)
  const said = ABILITIES.filter(([, pattern]) => told.some((word) => pattern.test(word)))
  if (said.length > 0) return said.map(([ability]) => ability)
  if (kind === 'anthropic') return ['text']
  return kind === 'openai' ? byName(String(model.id ?? '')) : []
}

function byName(name: string): readonly string[] {
  const other = NAMED.find(([, pattern]) => pattern.test(name))
  return [other?.[0] ?? 'text']
}

function wordsOf({ capabilities, architecture, ...model }: ToldModel): readonly string[] {
  const { input_modalities, output_modalities } = Object(architecture) as Record<string, unknown>
  const supported = Object.entries(Object(capabilities) as Record<string, unknown>)
    .filter(([, value]) => value === true || (Object(value) as { supported?: unknown }).supported === true)
    .map(([name]) => name)
  return [
    ...textsOf(model.supportedGenerationMethods),
    ...textsOf(model.supported_parameters),
    ...textsOf(input_modalities).map((word) => `in:${word}`),
    ...textsOf(output_modalities).map((word) => `out:${word}`),
    ...supported,
    ...textsOf([model.type]),
    ...(model.thinking === true ? ['thinking'] : [])
  ]
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : []
}

const CONTEXTS = [
  'inputTokenLimit',
  'max_input_tokens',
  'context_length',
  'max_context_length',
  'context_window'
] as const

/** How many tokens go into one question, where the provider says so. */
export function contextOf(model: object): number | undefined {
  const said = CONTEXTS.map((name) => (model as Record<string, unknown>)[name])
  return said.find((count): count is number => Number.isSafeInteger(count) && (count as number) > 0)
}
