import type { PlacedNode } from '../../flows/graph/run-links.ts'
import { isLongValue, type LongValue } from '../../flows/json/long-value.ts'
import type { AcceptedRun, Change } from '../../store/store.ts'
import { endOrOutsideWait } from '../end-or-outside-wait.ts'
import type { PresentedRun } from '../present/run-shape.ts'
import { decodeEntry } from '../record/journal-codec.ts'
import type { Runs } from '../runs.ts'
import { loadLong } from '../steps/long-values.ts'
import { type ChatListener, ChatText, type PrintedText } from './chat-text.ts'

/** A run that somebody talks to, and what it runs. */
export interface FollowedRun {
  readonly run: Pick<AcceptedRun, 'id' | 'seq' | 'flowId' | 'isPaused'>
  readonly nodes: readonly PlacedNode[]
  /** The nodes that print what others tell while they work, by the node that tells it. */
  readonly printers: ReadonlyMap<string, ReadonlySet<string>>
  readonly session: string
}

interface FollowOptions {
  /** The longest that it is followed. */
  readonly ms: number
  /** Whoever is told has gone. */
  readonly gone: AbortSignal
}

interface SaidMessage {
  readonly id: string
  readonly sender: string
  readonly session: string
  readonly text: string | LongValue
}

/** Those who speak in a run: what its Chat Input takes for a person's words is not sent back. */
const PERSON = 'User'

/**
 * Tells what a run says to the person who talks to it, as it comes, and resolves to the run as it then stands: ended, waiting for
 * somebody outside, or still at it when the time is over. To be called right after the run was accepted.
 */
export async function followChat(
  followed: FollowedRun,
  runs: Runs,
  listener: ChatListener,
  { ms, gone }: FollowOptions
): Promise<PresentedRun> {
  const { run, nodes, printers } = followed
  const text = new ChatText(printers, listener)
  const heard = new HeardSessions(followed.session)
  const leave = [
    runs.answerText.listen(run, (news) => text.take(news)),
    runs.subscribe(run.flowId, (change) => {
      for (const printed of printedBy(change, run.id, heard)) text.print(printed)
    })
  ]
  try {
    // Nobody knows when its flow is resumed.
    if (run.isPaused !== true) await endOrOutsideWait(run, nodes, ms, runs, gone)
  } finally {
    for (const end of leave) end()
  }
  const now = await runs.present(await runs.get(run.id))
  if (gone.aborted) return now
  for (const { node, ...message } of now.messages) {
    if (!heard.hears(message)) continue
    text.print({ node, id: message.id, text: await wholeText(message.text, runs) })
  }
  text.end()
  return now
}

/** What a flow says in other conversations is for others. */
class HeardSessions {
  readonly #sessions: Set<string>

  constructor(session: string) {
    this.#sessions = new Set([session])
  }

  /** Whether it is said to the person. What the person is taken to have said names their conversation. */
  hears({ sender, session }: Pick<SaidMessage, 'sender' | 'session'>): boolean {
    if (sender !== PERSON) return this.#sessions.has(session)
    this.#sessions.add(session)
    return false
  }
}

/** What is said at the very end, or is long, is read then. */
function* printedBy(change: Change, runId: string, heard: HeardSessions): Generator<PrintedText> {
  if (change.kind !== 'journal' || change.runId !== runId) return
  for (const { node, messages = [] } of decodeEntry(change.entry, undefined).settled ?? []) {
    for (const message of messages) {
      if (!heard.hears(message) || isLongValue(message.text)) continue
      yield { id: message.id, node, text: message.text }
    }
  }
}

async function wholeText(text: string | LongValue, { readPiece }: Runs): Promise<string> {
  return isLongValue(text) ? String(await loadLong(text, readPiece)) : text
}
