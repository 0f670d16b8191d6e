import { API_KEY, type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'
import { connectModel, post, startModel } from './model-flow.ts'

const FLOW = 'first-token-chat'
const TRIES_PER_ROUND = 20
const HEADERS = { 'content-type': 'application/json', accept: 'text/event-stream' }

/** The model says " 0" first; where answers begin and end without spaces, that comes in two pieces. */
const FIRST_TOKEN = /"(?:content|text)":"(?: 0?|0)"/

interface Way {
  readonly target: Target
  readonly path: string
  readonly key: boolean
  readonly body: (turn: number) => object
}

const target = (way: string): Target => ({
  name: `first token through ${way} − the provider’s own`,
  unit: 'ms',
  must: { atMost: 15 }
})

const WAYS: readonly Way[] = [
  {
    target: target('/chat'),
    path: `/api/v1/flows/${FLOW}/chat`,
    key: true,
    body: (turn) => ({ text: '1', session: `chat-${turn}` })
  },
  {
    target: target('/v1/chat/completions'),
    path: '/v1/chat/completions',
    key: true,
    body: () => ({ model: FLOW, stream: true, messages: [{ role: 'user', content: '1' }] })
  },
  {
    target: target('the public chat and its widget'),
    path: `/chat/${FLOW}`,
    key: false,
    body: (turn) => ({ text: '1', session: `visitor-of-the-bench-${turn}` })
  }
]

/** From the request to the first piece of text in its answer, by each way that a conversation can come in. */
export const firstTokenChatsGroup: FigureGroup = {
  key: 'first-token-chats',
  about:
    'the first token of a language model in the answers to a chat, to a client of OpenAI and to a visitor',
  targets: WAYS.map(({ target }) => target),
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const model = await startModel(workspace)
    const service = await startService(workspace, { home: workspace.folder('bench-first-token-chats') })
    await createChatFlow(service, model.url)
    say('first-token-chats: warming up')
    const added = WAYS.map((): number[] => [])
    for (let turn = 0; turn < options.rounds * TRIES_PER_ROUND + 5; turn++) {
      const direct = await untilFirstToken(`${model.url}/v1/chat/completions`, {
        key: true,
        body: { messages: [{ role: 'user', content: '1' }], stream: true }
      })
      for (const [at, { path, key, body }] of WAYS.entries()) {
        const through = await untilFirstToken(service.url + path, { key, body: body(turn) })
        if (turn >= 5) added[at]!.push(through - direct)
      }
    }
    await service.stop()
    return WAYS.map(({ target }, at) => ({
      ...target,
      measured: median(added[at]!),
      detail: `median of ${added[at]!.length}`
    }))
  }
}

async function createChatFlow(service: Service, model: string): Promise<void> {
  await connectModel(service, model)
  await post(service, '/api/v1/flows', {
    name: FLOW,
    slug: FLOW,
    nodes: [
      { id: 'chat-input-1', type: 'chat-input', fields: { public: true, rate_limit: 0 } },
      { id: 'model-1', type: 'language-model', fields: { connection: 'model', model: 'bench' } },
      { id: 'chat-output-1', type: 'chat-output', fields: {} }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'model-1.text' },
      { from: 'model-1.text', to: 'chat-output-1.text' }
    ]
  })
}

/** The rest is read, too, so that no run goes on behind the next one. */
async function untilFirstToken(
  url: string,
  { key, body }: { readonly key: boolean; readonly body: object }
): Promise<number> {
  const since = performance.now()
  const headers = { ...HEADERS, ...(key && { authorization: `Bearer ${API_KEY}` }) }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const decoder = new TextDecoder()
  let text = ''
  let first: number | undefined
  for await (const piece of answer.body!) {
    text += decoder.decode(piece, { stream: true })
    if (FIRST_TOKEN.test(text)) first ??= performance.now() - since
  }
  if (first === undefined) throw new Error(`${url} answered ${answer.status} without a token: ${text}`)
  return first
}
