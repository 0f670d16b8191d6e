import type { Message } from '../../flows/component/component.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { AskedTurns, RecalledTurns } from '../../flows/step/step-memory.ts'
import type { MessagePlace, MessageStore, StoredMessage } from '../../store/message-store.ts'
import type { SessionStore } from '../../store/sessions.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { messageText } from '../record/step-codec.ts'
import { tokensIn } from './carried-turns.ts'
import { loadLong, type ReadPiece } from './long-values.ts'

/** What was said in a session before a run of the flow, oldest first. */
export type SessionHistory = (
  run: Pick<ExecutableRun, 'id' | 'flowId' | 'session'>,
  asked: AskedTurns
) => Promise<RecalledTurns>

interface HistoryDeps {
  readonly messages: Pick<MessageStore, 'list'>
  readonly sessions: Pick<SessionStore, 'notes' | 'summarize'>
  readonly readPiece: ReadPiece
}

/** What one run has said: what somebody asked, and what was answered. */
interface Turn {
  readonly runId: string
  /** Of the newest of its messages. */
  readonly at: MessagePlace
  /** The newest first. */
  readonly messages: Message[]
  tokens: number
}

interface Wanted {
  readonly flowId: string
  readonly session: string
  /** The run that asks. */
  readonly besides: string
  readonly after: MessagePlace | undefined
  readonly turns: number
  /** No more turns are begun when those that were read have more. */
  readonly tokens: number
}

const PAGE = 100
/** So many turns are summed up at once; of a summary that is begun late, those before them are no part. */
const MOST_OLDER = 200

export function sessionHistory({ messages, sessions, readPiece }: HistoryDeps): SessionHistory {
  return async ({ id, flowId, session }, { turns, tokens = 0, isSummedUp = false }) => {
    if (turns <= 0) return { messages: [], summary: null }
    const bound = tokens > 0 ? tokens : Number.POSITIVE_INFINITY
    const of = { flowId, session, besides: id }
    if (!isSummedUp) {
      const found = await newestTurns({ ...of, after: undefined, turns, tokens: bound })
      return { messages: inOrder(found.slice(0, fitting(found, turns, bound))), summary: null }
    }
    const summary = (await sessions.notes(flowId, [session]))[0]?.summary ?? null
    const most = { turns: turns + MOST_OLDER, tokens: Number.POSITIVE_INFINITY }
    const found = await newestTurns({ ...of, after: summary?.upTo, ...most })
    const count = fitting(found, turns, bound)
    const [window, older] = [found.slice(0, count), found.slice(count)]
    const known = { summary: summary?.text ?? null }
    const [last] = older
    // Not with every turn: half as many as are told as they are come together first.
    if (last === undefined || older.length < count / 2) return { ...known, messages: inOrder(found) }
    const keep = async (text: string) => {
      const made = { text, upTo: last.at, runId: last.runId }
      await sessions.summarize(flowId, session, made, summary?.upTo ?? null)
    }
    return { ...known, messages: inOrder(window), toSumUp: { messages: inOrder(older), keep } }
  }

  async function newestTurns({ after, ...wanted }: Wanted): Promise<Turn[]> {
    const gathered = new Gathered(wanted)
    const { flowId, session } = wanted
    let before: MessagePlace | undefined
    for (;;) {
      const page = await messages.list({ flowId, session, limit: PAGE, ...(before && { before }) })
      const fresh = page.messages.filter(({ at }) => after === undefined || isAfter(at, after))
      for (const message of fresh.toReversed()) {
        if (gathered.isEnough(message)) return gathered.turns
        gathered.add(message, await toMessage(message))
      }
      if (page.next === null || fresh.length < page.messages.length) return gathered.turns
      before = page.next
    }
  }

  async function toMessage(message: StoredMessage): Promise<Message> {
    const { sender, session } = message
    const text = messageText(message)
    return { sender, session, text: isLongValue(text) ? String(await loadLong(text, readPiece)) : text }
  }
}

/** Turns, the newest first, of messages that come in that order. */
class Gathered {
  readonly #wanted: Omit<Wanted, 'after'>
  readonly #found = new Map<string, Turn>()
  #tokens = 0

  constructor(wanted: Omit<Wanted, 'after'>) {
    this.#wanted = wanted
  }

  get turns(): Turn[] {
    return [...this.#found.values()]
  }

  /** A turn begins with this message, and there are as many as are wanted. */
  isEnough({ runId }: StoredMessage): boolean {
    const { turns, tokens, besides } = this.#wanted
    const isFull = this.#found.size === turns || this.#tokens > tokens
    return isFull && runId !== besides && !this.#found.has(runId)
  }

  add({ runId, at }: StoredMessage, said: Message): void {
    if (runId === this.#wanted.besides) return
    const turn = this.#found.get(runId) ?? { runId, at, messages: [], tokens: 0 }
    turn.messages.push(said)
    turn.tokens += tokensIn(said.text)
    this.#tokens += tokensIn(said.text)
    this.#found.set(runId, turn)
  }
}

/** How many of the newest turns there is room for. */
function fitting(newest: readonly Turn[], turns: number, tokens: number): number {
  let left = tokens
  const end = newest.slice(0, turns).findIndex((turn) => {
    left -= turn.tokens
    return left < 0
  })
  return end < 0 ? Math.min(turns, newest.length) : end
}

function isAfter(one: MessagePlace, other: MessagePlace): boolean {
  return one.no > other.no || (one.no === other.no && one.place > other.place)
}

function inOrder(newest: readonly Turn[]): Message[] {
  return newest.toReversed().flatMap(({ messages }) => messages.toReversed())
}
