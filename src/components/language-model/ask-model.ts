import { type OutputLimit, outputTooLarge, type Step } from '../../plugin-api.ts'
import type { AnswerText } from './answer-text.ts'
import { CalledTools, type ModelCall } from './called-tools.ts'
import { type Asked, brokenOff, contentRefused, modelError } from './model-errors.ts'
import type { ModelFetch } from './model-fetch.ts'
import type { AnswerPart, Model, ModelOptions } from './model-providers.ts'

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
  readonly finish: 'stop' | 'length' | 'tool-calls'
  /** What it thought aloud, where it tells that. */
  readonly thought: string
  /** The tools that it calls, in its order. */
  readonly calls: readonly ModelCall[]
  /** In the operator's currency; null where the model has no price. */
  readonly cost: number | null
}

interface AskOptions {
  readonly asked: Asked
  readonly options: ModelOptions
  readonly calls: Pick<ModelFetch, 'failure'>
  readonly outputLimit: OutputLimit
  readonly told: AnswerText
  readonly payFor: Step['payFor']
  /** Tools are offered to it. */
  readonly mayCall?: boolean
}

type Finish = Extract<AnswerPart, { type: 'finish' }>

/**
 * Asks the model and reads its answer to the end. Whatever goes wrong on the way is thrown: an answer that broke off
 * is never taken for a whole one.
 */
export async function askModel(model: Model, asking: AskOptions): Promise<ModelAnswer> {
  const { asked, options, calls, told, payFor } = asking
  const input = tokensAbout(options)
  const paid = await payFor({ model: asked.model, input, mostOutput: options.maxOutputTokens })
  told.begin()
  const stream = await model.doStream(options).then(
    (answer) => answer.stream,
    (error) => {
      paid.end(undefined)
      throw calls.failure() ?? modelError(error, asked, 'call')
    }
  )
  // Of an answer that breaks off nobody tells what it has cost.
  const cutOff = { input_tokens: input, cached_tokens: 0, output_tokens: 0 }
  const { finish, isCut, output, ...said } = await readAnswer(stream, asking).catch((error) => {
    paid.end(cutOff)
    throw error
  })
  if (isCut) {
    const used = { ...cutOff, output_tokens: Math.ceil(output / 4) }
    return { ...said, finish: 'tool-calls', ...used, cost: paid.end(used) }
  }
  const cost = paid.end(finish === undefined ? cutOff : tokensOf(finish))
  if (finish === undefined) throw brokenOff(asked)
  const reason = finish.finishReason.unified
  if (reason === 'content-filter') throw contentRefused(asked)
  // Some say that they have stopped, and call tools.
  const ended = said.calls.length > 0 ? 'tool-calls' : reason
  if (ended !== 'stop' && ended !== 'length' && said.calls.length === 0) throw brokenOff(asked)
  return { ...said, finish: ended as ModelAnswer['finish'], ...tokensOf(finish), cost }
}

/** Four bytes of what is sent are about one token; of a picture that is more than a model counts. */
function tokensAbout({ prompt, tools = [] }: ModelOptions): number {
  const images = (value: unknown) => (value instanceof Uint8Array ? value.byteLength : 0)
  let bytes = JSON.stringify(tools).length
  for (const { content } of prompt) {
    if (typeof content === 'string') bytes += Buffer.byteLength(content)
    else
      for (const part of content)
        bytes +=
          'text' in part
            ? Buffer.byteLength(part.text)
            : 'data' in part
              ? images(part.data)
              : JSON.stringify(part).length
  }
  return Math.ceil(bytes / 4)
}

interface ReadAnswer extends Pick<ModelAnswer, 'text' | 'thought' | 'calls'> {
  readonly finish: Finish | undefined
  /** What it has to say to a tool is too long: the rest was not read, and nobody tells what it has cost. */
  readonly isCut: boolean
  /** Of what was read of it, in characters. */
  readonly output: number
}

async function readAnswer(
  stream: AsyncIterable<AnswerPart>,
  { asked, calls: { failure }, outputLimit, told, mayCall = false }: AskOptions
): Promise<ReadAnswer> {
  const pieces: string[] = []
  const thought = new Thought()
  const called = new CalledTools(mayCall)
  let length = 0
  let finish: Finish | undefined
  try {
    for await (const part of stream) {
      if (part.type === 'error') throw failure() ?? modelError(part.error, asked, 'stream')
      if (part.type === 'finish') finish = part
      called.read(part)
      if (called.isOver) break
      thought.read(part)
      if (part.type !== 'text-delta' || part.delta === '') continue
      length += part.delta.length
      if (length > outputLimit.bytes) throw outputTooLarge(outputLimit, { size: length })
      pieces.push(part.delta)
      told.read(part.delta)
    }
  } catch (error) {
    throw isOurs(error) ? error : (failure() ?? modelError(error, asked, 'stream'))
  }
  const said = { text: pieces.join(''), thought: thought.text, calls: called.all }
  return { ...said, finish, isCut: called.isOver, output: length + called.length }
}

/** In characters: it is for people to look at. */
const LONGEST_THOUGHT = 20_000

class Thought {
  text = ''

  read(part: AnswerPart): void {
    if (part.type === 'reasoning-delta' && this.text.length < LONGEST_THOUGHT) this.text += part.delta
  }
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

/** Null where one of them is not known. */
export function sumOfCosts(answers: readonly { readonly cost: number | null }[]): number | null {
  let sum = 0
  for (const { cost } of answers) {
    if (cost === null) return null
    sum += cost
  }
  // Millionths, and no further.
  return Math.round(sum * 1e6) / 1e6
}
