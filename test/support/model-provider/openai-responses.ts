import { openaiFailure } from './openai-failures.ts'
import {
  argumentsOf,
  bearerOf,
  event,
  type ModelProtocol,
  type ToolCallReply,
  type WrittenReply
} from './reply.ts'

const item = (id: string, text: string, status: string) => ({
  id: `msg_${id}`,
  type: 'message',
  status,
  role: 'assistant',
  content: text === '' ? [] : [{ type: 'output_text', text, annotations: [] }]
})

const place = (id: string) => ({ item_id: `msg_${id}`, output_index: 0, content_index: 0 })

function callEvents(call: ToolCallReply, at: number) {
  const { id, name } = call
  const place = { output_index: at + 1, item_id: `fc_${id}` }
  const made = { id: `fc_${id}`, type: 'function_call', call_id: id, name }
  return [
    { type: 'response.output_item.added', ...place, item: { ...made, arguments: '', status: 'in_progress' } },
    { type: 'response.function_call_arguments.delta', ...place, delta: argumentsOf(call) },
    {
      type: 'response.output_item.done',
      ...place,
      item: { ...made, arguments: argumentsOf(call), status: 'completed' }
    }
  ]
}

function response({ id, model, finish, usage }: WrittenReply, text: string) {
  const { input, output, cached = 0 } = usage
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter'
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_790_000_000,
    model,
    status: finish === 'stop' ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: finish === 'stop' ? null : { reason },
    output: [item(id, text, 'completed')],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output
    }
  }
}

/** OpenAI: POST /responses */
export const openaiResponses: ModelProtocol = {
  name: 'openai-responses',
  matches: (path, { model, stream }) =>
    path.endsWith('/responses') ? { model: String(model), isStream: stream === true } : undefined,
  keyOf: bearerOf,
  begin: ({ id, model }) =>
    [
      { type: 'response.created', response: { id: `resp_${id}`, created_at: 1_790_000_000, model } },
      { type: 'response.output_item.added', output_index: 0, item: item(id, '', 'in_progress') },
      {
        type: 'response.content_part.added',
        ...place(id),
        part: { type: 'output_text', text: '', annotations: [] }
      }
    ]
      .map(event)
      .join(''),
  piece: (delta, { id }) => event({ type: 'response.output_text.delta', ...place(id), delta }),
  end: (reply, whole) =>
    [
      { type: 'response.output_text.done', ...place(reply.id), text: whole },
      { type: 'response.output_item.done', output_index: 0, item: item(reply.id, whole, 'completed') },
      ...reply.calls.flatMap(callEvents),
      {
        type: reply.finish === 'stop' ? 'response.completed' : 'response.incomplete',
        response: response(reply, whole)
      }
    ]
      .map(event)
      .join(''),
  breakDown: () =>
    event({
      type: 'error',
      sequence_number: 9,
      code: 'server_error',
      message: 'The server had an error while processing your request.',
      param: null
    }),
  whole: response,
  failure: openaiFailure
}
