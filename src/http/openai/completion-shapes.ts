import type { Static } from 'typebox'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { PresentedRun } from '../../runs/present/run-shape.ts'
import { ChatMessage } from './read-messages.ts'

export const CompletionRequest = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200, description: 'The slug of a flow with a Chat Input' }),
    messages: Type.Array(ChatMessage, { minItems: 1, maxItems: 10_000 }),
    stream: Type.Optional(Nullable(Type.Boolean())),
    stream_options: Type.Optional(Nullable(Type.Object({ include_usage: Type.Optional(Type.Boolean()) }))),
    user: Type.Optional(
      Nullable(Type.String({ maxLength: 200, description: 'The session; a new one where it is left out' }))
    ),
    n: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1, description: 'One answer' })))
  },
  {
    description: 'Members of OpenAI that are not here are taken and mean nothing: the flow says what it does'
  }
)

export type CompletionRequest = Static<typeof CompletionRequest>

const TokenUsage = Type.Object({
  prompt_tokens: count(),
  completion_tokens: count(),
  total_tokens: count(),
  prompt_tokens_details: Type.Object({ cached_tokens: count() })
})

export const Completion = Type.Object({
  id: Type.String(),
  object: Type.Literal('chat.completion'),
  created: count({ description: 'In seconds since 1970' }),
  model: Type.String(),
  choices: Type.Array(
    Type.Object({
      index: count(),
      message: Type.Object({ role: Type.Literal('assistant'), content: Type.String(), refusal: Type.Null() }),
      logprobs: Type.Null(),
      finish_reason: Type.Literal('stop')
    })
  ),
  usage: TokenUsage
})

export const Model = Type.Object({
  id: Type.String(),
  object: Type.Literal('model'),
  created: count({ description: 'In seconds since 1970' }),
  owned_by: Type.String()
})

/** All models that the run asked, together; nothing where it asked none. */
export function tokenUsage({ usage }: Pick<PresentedRun, 'usage'>): Static<typeof TokenUsage> {
  return {
    prompt_tokens: usage?.input_tokens ?? 0,
    completion_tokens: usage?.output_tokens ?? 0,
    total_tokens: usage?.total_tokens ?? 0,
    prompt_tokens_details: { cached_tokens: usage?.cached_tokens ?? 0 }
  }
}

/** What every part of one answer begins with. */
export interface AnswerHead {
  readonly id: string
  readonly created: number
  readonly model: string
}

export function completion(head: AnswerHead, content: string, run: PresentedRun): Static<typeof Completion> {
  const message = { role: 'assistant', content, refusal: null } as const
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: tokenUsage(run)
  }
}
