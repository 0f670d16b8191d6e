import { MillraceError } from '../../errors.ts'
import type { FoundSession, MessagePlace, MessageStore, SessionPlace } from '../../store/message-store.ts'
import type { RunStore } from '../../store/run-store.ts'
import type { SessionStore } from '../../store/sessions.ts'

interface SessionsDeps {
  readonly messages: MessageStore
  readonly notes: SessionStore
  readonly runs: Pick<RunStore, 'deleteEnded'>
}

/** A conversation with a flow. */
export interface Session extends FoundSession {
  readonly title: string | null
  readonly summary: string | null
}

interface RemovedSession {
  readonly messages: number
  /** Runs of other flows that called this one: they are theirs. */
  readonly keptRuns: readonly string[]
  readonly deletedRuns: number
}

const MOST_NAMED = 5

/** The conversations of flows, for people to look at and to delete. */
export class Sessions {
  readonly #deps: SessionsDeps

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  async list(query: {
    readonly flowId: string
    readonly limit: number
    readonly before?: SessionPlace
  }): Promise<{ sessions: Session[]; next: SessionPlace | null }> {
    const { messages, notes } = this.#deps
    const { sessions, next } = await messages.sessions(query)
    const names = sessions.map(({ session }) => session)
    const known = new Map((await notes.notes(query.flowId, names)).map((note) => [note.session, note]))
    return {
      sessions: sessions.map((session) => {
        const { title = null, summary = null } = known.get(session.session) ?? {}
        return { ...session, title, summary: summary?.text ?? null }
      }),
      next
    }
  }

  /** A page of what was said, the newest, in order; and what is kept besides. */
  async read(flowId: string, session: string, before: MessagePlace | undefined) {
    const { messages, notes } = this.#deps
    const page = await messages.list({ flowId, session, limit: 1_000, ...(before && { before }) })
    const [note] = await notes.notes(flowId, [session])
    return { ...page, title: note?.title ?? null, summary: note?.summary?.text ?? null }
  }

  /** As people call it; null for its own name again. */
  entitle(flowId: string, session: string, title: string | null): Promise<void> {
    return this.#deps.notes.entitle(flowId, session, title)
  }

  /**
   * With the runs that printed in it and all that they did: inputs, steps, files. A run that goes on would say more, so while there is
   * one nothing is deleted.
   */
  async remove(flowId: string, session: string): Promise<RemovedSession> {
    const { messages, notes, runs } = this.#deps
    const speakers = await messages.speakers(flowId, session)
    const [mine, others] = [
      speakers.filter((run) => run.flowId === flowId),
      speakers.filter((run) => run.flowId !== flowId)
    ]
    const open = speakers.filter(({ hasEnded }) => !hasEnded)
    if (open.length > 0)
      throw inUse(
        session,
        open.map(({ id }) => id)
      )
    // First, so that nothing finds a summary of what is gone, wherever this is cut off.
    await notes.forget(flowId, session)
    const forgotten = await messages.forget(flowId, session)
    // And again: until the messages were gone a run may have summed them up. From here on the store takes no summary of them.
    await notes.forget(flowId, session)
    await runs.deleteEnded(mine.map(({ seq }) => seq))
    return { messages: forgotten, deletedRuns: mine.length, keptRuns: others.map(({ id }) => id) }
  }
}

function inUse(session: string, open: readonly string[]): MillraceError {
  const named = open.slice(0, MOST_NAMED).join(', ')
  const rest = open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : ''
  return new MillraceError(
    'session_in_use',
    `Runs of the session "${session}" go on: ${named}${rest}. Cancel them, or wait for their end, and delete it again.`
  )
}
