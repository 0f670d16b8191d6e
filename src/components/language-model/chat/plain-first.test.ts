import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/support/any-text.ts'
import type { OpenConnection } from '../../../plugin-api.ts'
import { AnswerText } from '../answer-text.ts'
import { askModel, type ModelAnswer } from '../ask-model.ts'
import { knownModel } from '../known-models.ts'
import { modelFetch } from '../model-fetch.ts'
import { type ModelOptions, type ModelPrompt, modelOf } from '../model-providers.ts'

const LIMIT = { bytes: 16 * 1024 ** 2, of: 'step', most: 16 * 1024 ** 2 } as const

interface Asked {
  readonly sent: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly told: string
  readonly answer: ModelAnswer | { readonly code: unknown; readonly message: string }
  readonly questions: number
}

interface Provider {
  readonly status?: number
  readonly pieces: readonly string[]
}

const HEADERS = { 'idempotency-key': 'k' }

/** Asks as steps do, or by the SDK alone. */
async function ask(
  options: ModelOptions,
  { status = 200, pieces }: Provider,
  isBySdk: boolean
): Promise<Asked> {
  const requests: { body: string; headers: Record<string, string> }[] = []
  const connection = {
    name: 'm',
    kind: 'openai-compatible',
    settings: { base_url: 'https://models.example/v1/' },
    secrets: { api_key: 'secret' },
    withResource: async (resource: { open: () => unknown }, work: (of: unknown) => unknown) =>
      work(resource.open()),
    request: async (url: string, request: { body: string; headers: Record<string, string> }) => {
      assert.equal(url, 'https://models.example/v1/chat/completions')
      requests.push(request)
      const body = pieces.map((piece) => Buffer.from(piece))
      return { status, headers: { 'content-type': 'text/event-stream' }, body, readEvery: () => undefined }
    }
  } as unknown as OpenConnection
  let heard = ''
  const told = new AnswerText((text) => {
    heard += text
  })
  const calls = modelFetch(connection, { streams: { count: 0 }, onText: told.ahead, outputLimit: LIMIT })
  const model = isBySdk
    ? await modelOf(connection, 'large', calls.fetch)
    : await knownModel(connection, 'large', calls)
  const answer = await askModel(model, {
    payFor: async () => ({ end: () => null }),
    asked: { connection: 'm', model: 'large' },
    options,
    calls,
    outputLimit: LIMIT,
    told,
    mayCall: true
  }).catch((error) => ({ code: error.code, message: error.message }))
  const { body = '', headers = {} } = requests[0] ?? {}
  return {
    sent: body === '' ? undefined : JSON.parse(body),
    headers,
    told: heard,
    answer,
    questions: requests.length
  }
}

async function assertSame(options: ModelOptions, provider: Provider): Promise<Asked> {
  const [bySdk, plainly] = [await ask(options, provider, true), await ask(options, provider, false)]
  // The SDK makes an id where there is none.
  const named = (answer: Asked['answer']) =>
    'calls' in answer
      ? {
          ...answer,
          calls: answer.calls.map((call) => ({ ...call, id: call.id.length > 1 ? 'made' : call.id }))
        }
      : answer
  const compared = ({ headers, answer, ...rest }: Asked) => ({
    answer: named(answer),
    ...rest,
    key: headers.authorization ?? headers.Authorization
  })
  assert.deepEqual(compared(plainly), compared(bySdk))
  assert.equal(plainly.questions, 1)
  return plainly
}

const isPlain = ({ headers }: Asked) => headers['user-agent'] === 'Millrace'

const QUESTION: ModelPrompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`
const said = (delta: object, finish_reason: string | null = null) =>
  event({ id: 'c', created: 1, model: 'x', choices: [{ index: 0, delta, finish_reason }] })
const USAGE = event({
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 3 } }
})
const DONE = 'data: [DONE]\n\n'
const call = (index: number, id: string, name: string, input: string | null) =>
  said({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: input } }] })
const more = (index: number, input: string) =>
  said({ tool_calls: [{ index, function: { arguments: input } }] })

const text = anyText()
const given = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue() as fc.Arbitrary<never>)
const turn = fc.record({ text, input: given, result: text, hasFailed: fc.boolean() }).map(
  ({ text, input, result, hasFailed }): ModelPrompt => [
    {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        { type: 'tool-call', toolCallId: 'call-1', toolName: 'look', input }
      ]
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call-1',
          toolName: 'look',
          output: { type: hasFailed ? 'error-text' : 'text', value: result }
        }
      ]
    }
  ]
)
const question = fc
  .record({
    system: text,
    texts: fc.array(text, { minLength: 1, maxLength: 3 }),
    before: text,
    turns: fc.array(turn, { maxLength: 3 })
  })
  .map(
    ({ system, texts, before, turns }): ModelPrompt => [
      { role: 'system', content: system },
      { role: 'assistant', content: [{ type: 'text', text: before }] },
      { role: 'user', content: texts.map((text) => ({ type: 'text', text })) },
      ...turns.flat()
    ]
  )
const TOOLS: NonNullable<ModelOptions['tools']> = [
  { type: 'function', name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }
]
const choices = fc.record({
  prompt: question,
  tools: fc.constantFrom(undefined, [], TOOLS),
  maxOutputTokens: fc.constantFrom(undefined, 100),
  temperature: fc.constantFrom(undefined, 0.2)
})

/** The events of an answer, some of them said in ways that servers have. */
const part = fc.oneof(
  text.map((content) => said({ content })),
  fc.constantFrom(
    said({ role: 'assistant', content: '' }),
    said({ reasoning_content: 'hm' }),
    call(0, 'a', 'look', ''),
    call(1, 'b', 'look', '{}'),
    more(0, '{"a"'),
    more(0, ':1}'),
    ': keep-alive\n\n',
    said({}, 'stop'),
    said({}, 'tool_calls'),
    said({}, 'length'),
    USAGE,
    DONE
  )
)
const oddPart = fc.constantFrom(
  call(0, 'a', 'look', '{}'),
  call(0, '', '', ':1}'),
  said({ tool_calls: [{ id: 'z', function: { name: 'look', arguments: '{}' } }] }),
  said({ content: [{ type: 'text', text: 'parts' }] }),
  said({ refusal: 'no' }),
  said({}, 'content_filter'),
  said({}, 'eos'),
  event({ error: { message: 'overloaded' } }),
  event({ id: 'x' }),
  'data: {"choices"\n\n',
  `event: message\n${said({ content: 'named' })}`,
  said({ content: 'a' }).replaceAll('\n', '\r\n'),
  'data: [DONE]'
)
const answer = fc.oneof(fc.array(part, { maxLength: 8 }), fc.array(fc.oneof(part, oddPart), { maxLength: 8 }))

describe('a model that is asked by Chat Completions', () => {
  it('is asked, and understood, as the SDK would have it', async () => {
    await fc.assert(
      fc.asyncProperty(choices, answer, fc.integer({ min: 1, max: 200 }), async (asked, events, length) => {
        const all = events.join('')
        const pieces = Array.from({ length: Math.ceil(all.length / length) }, (_, at) =>
          all.slice(at * length, (at + 1) * length)
        ).map((piece) => (piece.isWellFormed() ? piece : ''))
        await assertSame({ ...asked, headers: HEADERS } as ModelOptions, { pieces })
      })
    )
  })

  it('is asked and read without the SDK where all of it is plain', async () => {
    const pieces = [
      said({ content: 'I look.' }),
      call(0, 'a', 'look', '{"a"'),
      more(0, ':1}'),
      said({}, 'tool_calls'),
      USAGE,
      DONE
    ]
    const asked = await assertSame({ prompt: QUESTION, tools: TOOLS, headers: HEADERS }, { pieces })
    assert.ok(isPlain(asked))
    const { calls, text, input_tokens, cached_tokens } = asked.answer as ModelAnswer
    assert.deepEqual(calls, [{ id: 'a', name: 'look', input: '{"a":1}' }])
    assert.deepEqual([text, asked.told, input_tokens, cached_tokens], ['I look.', 'I look.', 7, 3])
  })

  it('is left to the SDK where the question has a picture, or asks for a schema', async () => {
    const picture = {
      type: 'file' as const,
      mediaType: 'image/png',
      data: { type: 'data' as const, data: 'AAAA' }
    }
    const withPicture: ModelPrompt = [{ role: 'user', content: [{ type: 'text', text: 'What?' }, picture] }]
    const schema = { responseFormat: { type: 'json' as const, schema: { type: 'object' as const } } }
    for (const options of [{ prompt: withPicture }, { prompt: QUESTION, ...schema }]) {
      const asked = await assertSame(
        { ...options, headers: HEADERS },
        { pieces: [said({ content: 'ok' }, 'stop'), DONE] }
      )
      assert.ok(!isPlain(asked))
    }
  })

  it('says in the words of the SDK why it refuses, and is asked once', async () => {
    const wrong = ['{"error":{"message":"No such model","code":"model_not_found"}}', '', 'down for repair']
    for (const [at, status] of [404, 500, 503].entries())
      await assertSame({ prompt: QUESTION, headers: HEADERS }, { status, pieces: [wrong[at]!] })
  })

  it('may say more to a tool than is taken: the rest is not read', async () => {
    const pieces = [
      call(0, 'a', 'look', '{"a":"'),
      ...Array.from({ length: 40 }, () => more(0, 'x'.repeat(1_000))),
      more(0, '"}')
    ]
    const asked = await assertSame(
      { prompt: QUESTION, tools: TOOLS, headers: HEADERS },
      { pieces: [...pieces, said({}, 'tool_calls')] }
    )
    assert.deepEqual(
      (asked.answer as ModelAnswer).calls.map(({ isCut }) => isCut),
      [true]
    )
  })

  it('is refused where it calls more than any answer does', async () => {
    const calls = Array.from({ length: 129 }, (_, index) => ({
      index,
      id: `c${index}`,
      function: { name: 'look', arguments: '{}' }
    }))
    const pieces = [said({ tool_calls: calls }, 'tool_calls')]
    const asked = await assertSame({ prompt: QUESTION, tools: TOOLS, headers: HEADERS }, { pieces })
    assert.equal((asked.answer as { code: string }).code, 'model_answer_too_large')
  })

  it('may say a lot', async () => {
    const pieces = [
      ...Array.from({ length: 20 }, (_, at) => said({ content: `${at} `.repeat(4_000) })),
      said({}, 'stop')
    ]
    const asked = await assertSame({ prompt: QUESTION, headers: HEADERS }, { pieces })
    assert.equal((asked.answer as ModelAnswer).text, asked.told)
  })
})
