import { type OutputLimit, outputTooLarge } from '../../plugin-api.ts'
import type { AnswerText } from './answer-text.ts'
import { ToolCallBound } from './bounded-answer.ts'
import { type Asked, brokenOff, contentRefused, modelError } from './model-errors.ts'
import type { ModelFetch } from './model-fetch.ts'
import type { Model, ModelOptions } from './model-providers.ts'

/** Tokens, as the provider counts them. */
export interface TokenCount {
  readonly input_tokens: number
  /** Of these so many were read from the provider's cache. */
  readonly cached_tokens: number
  readonly output_tokens: number
}

export interface ModelAnswer extends TokenCount {
  readonly text: string
  /** `length`: the limit of tokens was reached. */
  readonly finish: 'stop' | 'length'
}

interface AskOptions {
  readonly asked: Asked
  readonly options: ModelOptions
  readonly calls: Pick<ModelFetch, 'failure'>
  readonly outputLimit: OutputLimit
  readonly told: AnswerText
}

type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never
type Finish = Extract<Part, { type: 'finish' }>

/**
 * Asks the model and reads its answer to the end. Whatever goes wrong on the way is thrown: an answer that broke off
 * is never taken for a whole one.
 */
export async function askModel(model: Model, asking: AskOptions): Promise<ModelAnswer> {
  const { asked, options, calls, told } = asking
  told.begin()
  const stream = await model.doStream(options).then(
    (answer) => answer.stream,
    (error) => {
      throw calls.failure() ?? modelError(error, asked, 'call')
    }
  )
  const { text, finish } = await readAnswer(stream, asking)
  if (finish === undefined) throw brokenOff(asked)
  const reason = finish.finishReason.unified
  if (reason === 'content-filter') throw contentRefused(asked)
  if (reason !== 'stop' && reason !== 'length') throw brokenOff(asked)
  return { text, finish: reason, ...tokensOf(finish) }
}

async function readAnswer(
  stream: ReadableStream<Part>,
  { asked, calls, outputLimit, told }: AskOptions
): Promise<{ text: string; finish: Finish | undefined }> {
  const pieces: string[] = []
  const tools = new ToolCallBound()
  let length = 0
  let finish: Finish | undefined
  try {
    for await (const part of stream) {
      if (part.type === 'error') throw calls.failure() ?? modelError(part.error, asked, 'stream')
      if (part.type === 'finish') finish = part
      tools.count(part)
      if (part.type !== 'text-delta' || part.delta === '') continue
      length += part.delta.length
      if (length > outputLimit.bytes) throw outputTooLarge(outputLimit, { size: length })
      pieces.push(part.delta)
      told.read(part.delta)
    }
  } catch (error) {
    throw isOurs(error) ? error : (calls.failure() ?? modelError(error, asked, 'stream'))
  }
  return { text: pieces.join(''), finish }
}

function isOurs(error: unknown): boolean {
  return error instanceof Error && 'retryable' in error
}

function tokensOf({ usage }: Finish): TokenCount {
  return {
    input_tokens: usage.inputTokens.total ?? 0,
    cached_tokens: usage.inputTokens.cacheRead ?? 0,
    output_tokens: usage.outputTokens.total ?? 0
  }
}
