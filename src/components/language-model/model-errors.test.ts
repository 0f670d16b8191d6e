import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { modelError } from './model-errors.ts'

const asked = { connection: 'models', model: 'large' }

/** As the SDK throws what a provider answered. */
function answered(statusCode: number, message: string, error: object = {}, responseHeaders = {}) {
  return Object.assign(new Error(message), { statusCode, data: { error }, responseHeaders })
}

/** As providers and servers word them, by what they are. */
const WORDED: Readonly<Record<string, readonly Error[]>> = {
  model_context_too_long: [
    answered(400, 'Your input exceeds the context window of this model.'),
    answered(400, 'input length and `max_tokens` exceed context limit: 199999 + 8192 > 200000'),
    answered(400, 'the request exceeds the available context size', { type: 'exceed_context_size_error' }),
    answered(400, 'Please reduce the length of the messages.', { code: 'context_length_exceeded' })
  ],
  model_out_of_credit: [
    answered(429, 'You exceeded your current quota.', { code: 'insufficient_quota' }),
    answered(402, 'Insufficient credits'),
    answered(402, 'Payment Required'),
    answered(403, 'Billing is not enabled for this project.')
  ],
  model_rate_limited: [
    answered(429, 'Rate limit reached. Add a payment method at https://provider.example/account/billing.'),
    answered(429, 'You exceeded your current quota, please check your plan and billing details.', {
      status: 'RESOURCE_EXHAUSTED'
    }),
    answered(429, 'Too Many Requests')
  ],
  model_unknown: [
    answered(404, 'model "large" not found, try pulling it first'),
    answered(400, 'large is not a valid model ID'),
    answered(400, 'Invalid model: large')
  ],
  model_key_refused: [
    answered(401, 'No auth credentials found'),
    answered(400, 'API key not valid. Please pass a valid API key.'),
    answered(403, 'Your key may not use this model.', { type: 'permission_error' })
  ],
  model_overloaded: [answered(529, 'Overloaded'), answered(503, 'Service Unavailable')],
  model_request_refused: [answered(400, 'temperature: must be at most 1'), answered(422, 'Unprocessable')],
  model_failed: [answered(500, 'Internal server error'), answered(502, 'Bad Gateway'), answered(408, '')]
}

describe('what a provider refuses', () => {
  for (const [code, errors] of Object.entries(WORDED)) {
    it(`is ${code}, however it is worded`, () => {
      for (const error of errors) assert.equal(modelError(error, asked, 'call').code, code, error.message)
    })
  }

  it('is tried again where that can help, when the provider says so', () => {
    const waitOf = (headers: object, error = {}) =>
      modelError(answered(429, 'Slow down', error, headers), asked, 'call').retryAfterMs
    assert.equal(waitOf({ 'retry-after': '7' }), 7_000)
    assert.equal(waitOf({ 'retry-after-ms': '70', 'retry-after': '7' }), 70)
    assert.equal(waitOf({}, { details: [{ retryDelay: '3.5s' }] }), 3_500)
    assert.equal(waitOf({ 'retry-after': 'soon' }), undefined)
    const refused = modelError(answered(401, 'No', {}, { 'retry-after': '7' }), asked, 'call')
    assert.deepEqual([refused.retryable, refused.retryAfterMs], [false, undefined])
  })

  it('in mid-stream is an answer that broke off, unless it says what it is', () => {
    const codeOf = (error: unknown) => modelError(error, asked, 'stream').code
    assert.equal(codeOf({ type: 'server_error', message: 'The server had an error.' }), 'model_broken_off')
    assert.equal(codeOf(undefined), 'model_broken_off')
    assert.equal(codeOf({ type: 'overloaded_error', message: 'Overloaded' }), 'model_overloaded')
    assert.equal(codeOf({ code: 'rate_limit_exceeded', message: 'Slow down' }), 'model_rate_limited')
  })
})
