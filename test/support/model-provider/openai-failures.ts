import type { FailureAnswer, ModelFailureKind } from './reply.ts'

/** As OpenAI answers them, for both of its protocols. */
export function openaiFailure(kind: ModelFailureKind, model: string): FailureAnswer {
  const answer = (status: number, type: string, code: string | null, message: string): FailureAnswer => ({
    status,
    body: { error: { message, type, param: null, code } }
  })
  switch (kind) {
    case 'bad_key':
      return answer(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.')
    case 'unknown_model':
      return answer(
        404,
        'invalid_request_error',
        'model_not_found',
        `The model \`${model}\` does not exist or you do not have access to it.`
      )
    case 'context_too_long':
      return answer(
        400,
        'invalid_request_error',
        'context_length_exceeded',
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
      )
    case 'rate_limited':
      return answer(429, 'requests', 'rate_limit_exceeded', 'Rate limit reached for requests.')
    case 'out_of_credit':
      return answer(429, 'insufficient_quota', 'insufficient_quota', 'You exceeded your current quota.')
    case 'overloaded':
      return answer(503, 'server_error', null, 'The server is currently overloaded. Please try again later.')
    case 'server_error':
      return answer(500, 'server_error', null, 'The server had an error while processing your request.')
  }
}
