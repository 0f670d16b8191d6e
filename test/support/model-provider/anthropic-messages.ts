import {
  argumentsOf,
  event,
  type FailureAnswer,
  type ModelFailureKind,
  type ModelProtocol,
  type ToolCallReply,
  type WrittenReply
} from './reply.ts'

const FINISHES = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal' } as const

function message({ id, model, usage }: WrittenReply) {
  const { input, cached = 0 } = usage
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [] as object[],
    stop_reason: null as string | null,
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
      output_tokens: 1
    }
  }
}

function callEvents(call: ToolCallReply, at: number) {
  const index = at + 1
  const { id, name } = call
  return [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
    {
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: argumentsOf(call) }
    },
    { type: 'content_block_stop', index }
  ]
}

function failure(kind: ModelFailureKind, model: string): FailureAnswer {
  const answer = (status: number, type: string, text: string): FailureAnswer => ({
    status,
    body: { type: 'error', error: { type, message: text }, request_id: 'req_1' }
  })
  switch (kind) {
    case 'bad_key':
      return answer(401, 'authentication_error', 'invalid x-api-key')
    case 'unknown_model':
      return answer(404, 'not_found_error', `model: ${model}`)
    case 'context_too_long':
      return answer(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum')
    case 'rate_limited':
      return answer(429, 'rate_limit_error', 'This request would exceed your rate limit.')
    case 'out_of_credit':
      return answer(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API.'
      )
    case 'overloaded':
      return answer(529, 'overloaded_error', 'Overloaded')
    case 'server_error':
      return answer(500, 'api_error', 'Internal server error')
  }
}

/** Anthropic: POST /messages */
export const anthropicMessages: ModelProtocol = {
  name: 'anthropic-messages',
  matches: (path, { model, stream }) =>
    path.endsWith('/messages') ? { model: String(model), isStream: stream === true } : undefined,
  keyOf: (headers) => headers['x-api-key'] as string | undefined,
  begin: (reply) =>
    [
      { type: 'message_start', message: message(reply) },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
    ]
      .map(event)
      .join(''),
  piece: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  end: ({ finish, usage, calls }) =>
    [
      { type: 'content_block_stop', index: 0 },
      ...calls.flatMap(callEvents),
      {
        type: 'message_delta',
        delta: { stop_reason: calls.length > 0 ? 'tool_use' : FINISHES[finish], stop_sequence: null },
        usage: { output_tokens: usage.output }
      },
      { type: 'message_stop' }
    ]
      .map(event)
      .join(''),
  breakDown: () => event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  whole: (reply, text) => ({
    ...message(reply),
    content: [{ type: 'text', text }],
    stop_reason: FINISHES[reply.finish],
    usage: { ...message(reply).usage, output_tokens: reply.usage.output }
  }),
  failure
}
