import type { Message } from '../../flows/component/component.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { MessageStore, StoredMessage } from '../../store/message-store.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { messageText } from '../record/step-codec.ts'
import { loadLong, type ReadPiece } from './long-values.ts'

/** What was said in a session before a run of the flow: the last so many turns, oldest first. */
export type SessionHistory = (
  run: Pick<ExecutableRun, 'id' | 'flowId' | 'session'>,
  turns: number
) => Promise<Message[]>

const PAGE = 100

export function sessionHistory(messages: Pick<MessageStore, 'list'>, readPiece: ReadPiece): SessionHistory {
  async function textOf(message: StoredMessage): Promise<string> {
    const text = messageText(message)
    return isLongValue(text) ? String(await loadLong(text, readPiece)) : text
  }

  /** A turn is what one run has said: what somebody asked, and what was answered. */
  return async ({ id, flowId, session }, turns) => {
    const found: StoredMessage[] = []
    const runs = new Set<string>()
    let before: Parameters<MessageStore['list']>[0]['before']
    while (turns > 0) {
      const page = await messages.list({ flowId, session, limit: PAGE, ...(before && { before }) })
      for (const message of page.messages.toReversed()) {
        if (message.runId === id) continue
        if (!runs.has(message.runId) && runs.size === turns)
          return Promise.all(found.toReversed().map(toMessage))
        runs.add(message.runId)
        found.push(message)
      }
      if (page.next === null) break
      before = page.next
    }
    return Promise.all(found.toReversed().map(toMessage))
  }

  async function toMessage(message: StoredMessage): Promise<Message> {
    const { sender, session } = message
    return { sender, session, text: await textOf(message) }
  }
}
