import {
  event,
  type FailureAnswer,
  type ModelFailureKind,
  type ModelProtocol,
  type WrittenReply
} from './reply.ts'

const FINISHES = { stop: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY' } as const

const content = (text: string) => ({ role: 'model', parts: [{ text }] })

function lastContent({ calls }: WrittenReply) {
  if (calls.length === 0) return content('')
  const parts = calls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args } }))
  return { role: 'model', parts }
}

function usageMetadata({ usage: { input, output, cached = 0 } }: WrittenReply) {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    cachedContentTokenCount: cached
  }
}

function failure(kind: ModelFailureKind, model: string): FailureAnswer {
  const answer = (code: number, status: string, message: string, details: object[] = []): FailureAnswer => ({
    status: code,
    body: { error: { code, message, status, details } }
  })
  switch (kind) {
    case 'bad_key':
      return answer(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
      ])
    case 'unknown_model':
      return answer(404, 'NOT_FOUND', `models/${model} is not found for API version v1beta.`)
    case 'context_too_long':
      return answer(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'
      )
    case 'rate_limited':
      return answer(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }
      ])
    case 'out_of_credit':
      return answer(403, 'PERMISSION_DENIED', 'Billing is not enabled for this project.')
    case 'overloaded':
      return answer(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')
    case 'server_error':
      return answer(500, 'INTERNAL', 'An internal error has occurred.')
  }
}

const PATH = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/

/** Google: POST /models/{model}:streamGenerateContent */
export const googleGenerate: ModelProtocol = {
  name: 'google-generate',
  matches: (path) => {
    const [, model, method] = PATH.exec(path) ?? []
    return model === undefined
      ? undefined
      : { model: decodeURIComponent(model), isStream: method === 'streamGenerateContent' }
  },
  keyOf: (headers) => headers['x-goog-api-key'] as string | undefined,
  begin: () => '',
  piece: (text, { model }) =>
    event({ candidates: [{ content: content(text), index: 0 }], modelVersion: model }),
  end: (reply) =>
    event({
      candidates: [{ content: lastContent(reply), finishReason: FINISHES[reply.finish], index: 0 }],
      usageMetadata: usageMetadata(reply),
      modelVersion: reply.model
    }),
  breakDown: () =>
    event({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  whole: (reply, text) => ({
    candidates: [{ content: content(text), finishReason: FINISHES[reply.finish], index: 0 }],
    usageMetadata: usageMetadata(reply),
    modelVersion: reply.model
  }),
  failure
}
