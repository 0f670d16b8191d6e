import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OpenConnection } from '../../plugin-api.ts'
import { knownModel } from './known-models.ts'
import type { Fetch, ModelOptions } from './model-providers.ts'

/** What is shared stays with the connection. */
function connection(): OpenConnection {
  let opened: unknown
  return {
    kind: 'openai',
    settings: { base_url: 'http://models.example/v1' },
    secrets: {},
    withResource: async (
      resource: { open: (connection: unknown) => unknown },
      work: (of: unknown) => unknown
    ) => {
      opened ??= resource.open(undefined)
      return work(opened)
    }
  } as unknown as OpenConnection
}

const ask = (key?: string): ModelOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  headers: key === undefined ? {} : { 'idempotency-key': key }
})

it('a model is shared by all who ask it, and each question goes by its own fetch', async () => {
  const to = connection()
  const sent: string[] = []
  const fetchOf =
    (name: string, answered: Promise<void>): Fetch =>
    async (_url, init) => {
      sent.push(`${name} ${new Headers(init?.headers).get('idempotency-key')}`)
      await answered
      return new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } })
    }
  const gate = Promise.withResolvers<void>()
  const open = () => assert.fail('it is left to the SDK')
  const first = await knownModel(to, 'large', { fetch: fetchOf('first', gate.promise), open })
  const second = await knownModel(to, 'large', { fetch: fetchOf('second', Promise.resolve()), open })
  const slow = first.doStream(ask('a'))
  await second.doStream(ask('b'))
  gate.resolve()
  await slow
  await second.doStream(ask('a'))
  assert.deepEqual(sent, ['first a', 'second b', 'second a'])
  await assert.rejects(async () => second.doStream(ask()), /idempotency key/)
})
