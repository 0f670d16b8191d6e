import { type AnswerReader, readAnswer } from './answer-reader.ts'
import type { ApiClient } from './api-client.ts'

/** Chat Input → Speak (see test/plugins/speak.ts) → Chat Output. */
export function spokenChatFlow(url: string, { speak = {}, input = {}, output = {} } = {}) {
  return {
    name: 'Talk',
    nodes: [
      { id: 'chat-input-1', type: 'chat-input', fields: input },
      { id: 'speak-1', type: 'speak', fields: { url }, retry: { attempts: 1 }, ...speak },
      { id: 'chat-output-1', type: 'chat-output', fields: output }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'speak-1.data' },
      { from: 'speak-1.text', to: 'chat-output-1.text' }
    ]
  }
}

/** Resolves when the answer begins. */
export function askChat(service: ApiClient, flow: string, turn: object): Promise<AnswerReader> {
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'x-api-key': service.key
  }
  const body = JSON.stringify(turn)
  return readAnswer(`${service.address}/api/v1/flows/${flow}/chat`, { headers, body })
}

interface ToldEvent {
  readonly event: string
  readonly data: Record<string, unknown>
}

export function eventsIn(text: string): ToldEvent[] {
  const found = text.matchAll(/^event: (.*)\ndata: (.*)$/gm)
  return [...found].map(([, event, data]) => ({ event: event!, data: JSON.parse(data!) }))
}
