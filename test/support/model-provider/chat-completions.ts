import { openaiFailure } from './openai-failures.ts'
import { argumentsOf, bearerOf, event, type ModelProtocol, type WrittenReply } from './reply.ts'

const FINISHES = { stop: 'stop', length: 'length', refused: 'content_filter' } as const

const chunk = ({ id, model }: WrittenReply, rest: object) =>
  event({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1_790_000_000, model, ...rest })

function finishOf({ finish, calls }: WrittenReply): string {
  return calls.length > 0 ? 'tool_calls' : FINISHES[finish]
}

/** Each in two pieces, as they come. */
function calls(reply: WrittenReply): string {
  const delta = (call: object) =>
    chunk(reply, { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] })
  return reply.calls
    .flatMap((call, index) => {
      const text = argumentsOf(call)
      const half = Math.ceil(text.length / 2)
      const { id, name } = call
      return [
        delta({ index, id, type: 'function', function: { name, arguments: text.slice(0, half) } }),
        delta({ index, function: { arguments: text.slice(half) } })
      ]
    })
    .join('')
}

function usage({ usage: { input, output, cached = 0 } }: WrittenReply) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached }
  }
}

/** OpenAI, and all that speak as it did before: POST /chat/completions */
export const chatCompletions: ModelProtocol = {
  name: 'chat-completions',
  matches: (path, { model, stream }) =>
    path.endsWith('/chat/completions') ? { model: String(model), isStream: stream === true } : undefined,
  keyOf: bearerOf,
  begin: (reply) =>
    chunk(reply, { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
  piece: (content, reply) =>
    chunk(reply, { choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  end: (reply) =>
    calls(reply) +
    chunk(reply, { choices: [{ index: 0, delta: {}, finish_reason: finishOf(reply) }] }) +
    chunk(reply, { choices: [], usage: usage(reply) }) +
    'data: [DONE]\n\n',
  breakDown: () =>
    event({ error: { message: 'The server had an error.', type: 'server_error', code: null } }),
  whole: (reply, content) => ({
    id: `chatcmpl-${reply.id}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model: reply.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: FINISHES[reply.finish] }],
    usage: usage(reply)
  }),
  failure: openaiFailure
}
