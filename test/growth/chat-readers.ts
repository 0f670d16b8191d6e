import { readMessage } from '../../src/http/mcp/messages.ts'
import { FinalText } from '../../src/http/openai/final-text.ts'
import { type ChatMessage, readMessages } from '../../src/http/openai/read-messages.ts'
import { ChatText } from '../../src/runs/chat/chat-text.ts'
import { carriedTurns, lastTurns } from '../../src/runs/steps/carried-turns.ts'
import { BODY, ITEMS, type Reader, shape, texts } from './shapes.ts'

const said = (n: number): ChatMessage[] =>
  Array.from({ length: n }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'a' }))

/** What reads and writes conversations. */
export const CHAT_READERS: readonly Reader[] = [
  {
    name: 'messages of clients of language models',
    covers: ['src/http/openai/read-messages.ts'],
    shapes: [
      shape('many', ITEMS, (n) => {
        const messages = said(n)
        return () => readMessages(messages)
      }),
      shape('one of many parts', ITEMS, (n) => {
        const content = Array.from({ length: n }, () => ({ type: 'text', text: 'a' }))
        return () => readMessages([{ role: 'user', content }])
      }),
      ...texts(BODY, (text) => readMessages([{ role: 'user', content: text || 'a' }])),
      ...texts(BODY, (text) =>
        readMessages([
          { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:a/b;base64,${text}` } }] }
        ])
      ),
      ...texts(BODY, (text) =>
        attempt(() =>
          readMessages([{ role: 'user', content: [{ type: 'file', file: { file_data: `data:${text}` } }] }])
        )
      )
    ]
  },
  {
    name: 'messages of clients of tools',
    covers: [],
    shapes: texts(BODY, (text) =>
      attempt(() =>
        readMessage({ jsonrpc: '2.0', id: text, method: text, params: { _meta: { [text]: 1 } } }, {})
      )
    )
  },
  {
    name: 'a chat that is told piece by piece',
    covers: [],
    shapes: [
      shape('in many pieces', ITEMS, (n) => () => tell(n)),
      shape('with a history of many turns', ITEMS, (n) => {
        const messages = said(n).map(({ role }) => ({
          sender: role === 'user' ? 'User' : 'Machine',
          text: 'a'
        }))
        return () => lastTurns(carriedTurns('chat', { messages })!, { turns: n, tokens: n }, 's')
      })
    ]
  }
]

function tell(pieces: number): void {
  const chat = new ChatText(new Map([['model', new Set(['out'])]]), new FinalText(() => {}))
  for (let at = 0; at < pieces; at++) chat.take({ flowId: 'f', runId: 'r', node: 'model', at, text: 'a' })
  chat.print({ id: '1', node: 'out', text: 'a'.repeat(pieces) })
}

function attempt(read: () => unknown): void {
  try {
    read()
  } catch {
    // It is refused.
  }
}
