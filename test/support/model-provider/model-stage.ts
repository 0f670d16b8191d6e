import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { RunBody } from '../api-client.ts'
import { startService } from '../service.ts'
import { MODEL_KEY, type ModelCall, type ModelReply, startModelProvider } from './model-provider.ts'

export const KINDS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const

export interface Usage {
  readonly [name: string]: unknown
}

/** A service with a connection to a provider of each kind, and what asks a model in a flow. */
export async function startModelStage(t: TestContext) {
  const service = await startService(t, {
    env: { MILLRACE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  })
  const provider = await startModelProvider(t)
  const second = await startModelProvider(t)

  async function connect(name: string, kind: string, base_url: string, api_key = MODEL_KEY) {
    const body = { name, kind, settings: { base_url }, secrets: { api_key } }
    const made = await service.post('/api/v1/connections', body)
    assert.equal(made.status, 201, made.text)
  }

  /** Chat Input → Language Model → Chat Output. */
  const flowOf = (fields: object, node: object = {}) => ({
    name: 'Ask',
    nodes: [
      { id: 'chat-input-1', type: 'chat-input' },
      {
        id: 'model-1',
        type: 'language-model',
        fields: { connection: 'openai', model: 'large', ...fields },
        retry: { attempts: 1 },
        ...node
      },
      { id: 'chat-output-1', type: 'chat-output' }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'model-1.text' },
      { from: 'model-1.text', to: 'chat-output-1.text' }
    ]
  })

  async function ask(
    fields: object,
    { node = {}, replies = [] as ModelReply[], input = 'Hi' as unknown } = {}
  ) {
    provider.answer(...replies)
    const flow = await service.createFlow(flowOf(fields, node))
    const answer = await service.post(`/api/v1/run/${flow.slug}`, { input })
    assert.equal(answer.status, 200, answer.text)
    const run = answer.json<RunBody>()
    const step = run.steps.find((each) => each.node === 'model-1')!
    return { run, step, flow, outputs: (step.outputs ?? {}) as { text: string; data: unknown; usage: Usage } }
  }

  const lastCall = (): ModelCall => provider.calls.at(-1)!

  for (const kind of KINDS) await connect(kind, kind, provider.baseUrl(kind))
  await connect('second', 'anthropic', second.baseUrl('anthropic'))
  await connect('wrong-key', 'anthropic', provider.baseUrl('anthropic'), 'sk-wrong-0123456789')
  return { service, provider, second, connect, flowOf, ask, lastCall }
}
