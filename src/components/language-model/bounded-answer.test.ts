import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { threadMs } from '../../../test/support/thread-ms.ts'
import type { OpenConnection } from '../../plugin-api.ts'
import { AnswerText } from './answer-text.ts'
import { askModel } from './ask-model.ts'
import { boundedAnswer } from './bounded-answer.ts'
import { modelFetch } from './model-fetch.ts'
import { modelOf } from './model-providers.ts'

const LIMIT = { bytes: 16 * 1024 ** 2, of: 'step', most: 16 * 1024 ** 2 } as const
const MB = 1024 ** 2

interface Sent {
  /** How much was asked for. */
  bytes: number
  readonly cut: PromiseWithResolvers<void>
}

const nothingSent = (): Sent => ({ bytes: 0, cut: Promise.withResolvers() })

/** `piece` again and again: so often, or without an end, which is a gigabyte here. */
async function* flood(sent: Sent, begin: string, piece: (at: number) => string, times = 1e9) {
  try {
    yield Buffer.from(begin)
    for (let at = 0; at < times && sent.bytes < 1024 * MB; at++) {
      const bytes = Buffer.from(piece(at))
      sent.bytes += bytes.length
      yield bytes
    }
  } finally {
    sent.cut.resolve()
  }
}

/** Asks a model behind a provider that answers like this. */
async function ask(
  status: number,
  type: string,
  begin: string,
  piece: (at: number) => string,
  times?: number
) {
  const sent = nothingSent()
  const connection = {
    name: 'm',
    kind: 'openai-compatible',
    settings: { base_url: 'https://models.example/v1' },
    secrets: {},
    request: async () => ({
      status,
      headers: { 'content-type': type },
      body: flood(sent, begin, piece, times),
      readEvery: () => undefined
    })
  } as unknown as OpenConnection
  const calls = modelFetch(connection, { streams: { count: 0 }, onText: undefined, outputLimit: LIMIT })
  const model = await modelOf(connection, 'large', calls.fetch)
  const answer = askModel(model, {
    payFor: async () => ({ end: () => null }),
    asked: { connection: 'm', model: 'large' },
    options: { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
    calls,
    outputLimit: LIMIT,
    told: new AnswerText(() => undefined)
  })
  return { sent, answer }
}

const SSE = 'text/event-stream'
const JSON_TYPE = 'application/json'
const KILOBYTES = 'a'.repeat(64 * 1024)
const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`
const toolCall = (index: number, text: string) =>
  chunk({
    tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: text } }]
  })

describe('an answer of a model that does not end', () => {
  const endless: readonly [string, string, string, (at: number) => string][] = [
    ['a line', SSE, 'data: {"a":"', () => KILOBYTES],
    ['an event of many lines', SSE, '', () => `data: ${KILOBYTES}\n`],
    ['a page', 'text/html', '<html>', () => KILOBYTES],
    ['calls of tools', SSE, '', (at) => toolCall(at, '{')],
    ['the input of a tool', SSE, toolCall(0, '{"a":"'), () => toolCall(0, 'x'.repeat(100))]
  ]
  for (const [name, type, begin, piece] of endless) {
    it(`is cut where it is ${name}`, async () => {
      const { sent, answer } = await ask(200, type, begin, piece)
      await assert.rejects(answer, { code: 'model_answer_too_large', retryable: false })
      assert.ok(sent.bytes <= 2 * MB, `${sent.bytes} bytes were read`)
      await sent.cut.promise
    })
  }

  it('is cut where it is the text of an error, which is told by its status', async () => {
    for (const [status, code] of [
      [400, 'model_request_refused'],
      [429, 'model_rate_limited'],
      [503, 'model_overloaded']
    ] as const) {
      const { sent, answer } = await ask(status, JSON_TYPE, '{"error":{"message":"', () => KILOBYTES)
      await assert.rejects(answer, { code, message: new RegExp(`status ${status}, longer than 64 kB`) })
      assert.ok(sent.bytes <= 256 * 1024, `${sent.bytes} bytes were read`)
      await sent.cut.promise
    }
  })

  it('is cut by its length in all, which is many times that of what the step may put out', async () => {
    const sent = nothingSent()
    const body = flood(sent, '', () => `: ${'a'.repeat(MB / 2)}\n\n`)
    await assert.rejects(
      async () => {
        for await (const _ of boundedAnswer(body, { ...LIMIT, bytes: 1 }));
      },
      { code: 'model_answer_too_large', message: /longer than 128 MB/ }
    )
    await sent.cut.promise
  })
})

describe('an answer of a model that is long', () => {
  it('is read where its events are short, wherever they are cut', async () => {
    for (const end of ['\n\n', '\r\n\r\n', '\r\r']) {
      const event = `data: ${'a'.repeat(300_000)}${end}`
      for (const length of [event.length - 1, 65_536]) {
        const stream = Buffer.from(event.repeat(8))
        async function* cut() {
          for (let at = 0; at < stream.length; at += length) yield stream.subarray(at, at + length)
        }
        let bytes = 0
        for await (const piece of boundedAnswer(cut(), LIMIT)) bytes += piece.length
        assert.equal(bytes, stream.length)
      }
    }
  })

  it('is read with a few calls of tools that nobody asked for', async () => {
    const done = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
    const piece = (at: number) => (at < 20 ? toolCall(at, '{}') : chunk({ content: 'Hi' }) + done)
    const { answer } = await ask(200, SSE, '', piece, 21)
    assert.equal((await answer).text, 'Hi')
  })

  it('is told to be an error in time, whatever the error says', async () => {
    const said = JSON.stringify({ error: { message: 'token count '.repeat(5_000), type: 'x' } })
    const start = threadMs()
    const { answer } = await ask(400, JSON_TYPE, said, () => '', 1)
    await assert.rejects(answer, { code: 'model_request_refused' })
    assert.ok(threadMs() - start < 1_000)
  })
})
