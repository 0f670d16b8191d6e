import type { ConnectionPool, Session } from './connection-pool.ts'
import { orAborted } from './or-aborted.ts'
import { commitUnknown, sqlError } from './sql-errors.ts'

/** A session of a server that has transactions. */
export interface ServerSession extends Session {
  /**
   * The next transaction may be sent before the commit of this one is answered: a commit that fails ends the transaction
   * all the same, and to interrupt the next waits until the commit is answered.
   */
  readonly isPipelined: boolean
  /** Whether the server has answered anything since the transaction began. */
  readonly isAnswered: boolean
  begin(options: TransactionOptions): Promise<void>
  /** What the transaction has left on the session is undone behind it, before anything else happens there. So it is by `rollback`. */
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Ends the statement that is under way on the server, too, and the session with it. */
  interrupt(): void
}

export interface TransactionOptions {
  readonly isReadOnly: boolean
  /** In milliseconds; the server ends what takes longer. */
  readonly timeoutMs: number
}

interface TransactionParts<S extends ServerSession> {
  readonly pool: ConnectionPool<S>
  readonly options: TransactionOptions
  readonly signal: AbortSignal
  /** The server's name, for messages. */
  readonly server: string
  /** Whether the server said so itself, on a session that goes on. */
  readonly isAnswer: (error: unknown) => boolean
  /** Called before the commit is sent. */
  readonly onCommit: () => void
}

/**
 * Work in a transaction of its own. Nothing is written where it throws, but for one error that says so: the connection
 * was lost after the commit was sent.
 */
export async function runInTransaction<S extends ServerSession, R>(
  parts: TransactionParts<S>,
  work: (session: S) => Promise<R>
): Promise<R> {
  const { pool, signal, isAnswer } = parts
  let mayBeStale = false
  const attempt = () =>
    pool.withSession(signal, async (session, { isFresh, handOn }) => {
      const result = await beforeCommit(session, parts, async () => {
        await session.begin(parts.options)
        return await work(session)
      }).catch((error: unknown) => {
        mayBeStale = !isFresh && !session.isAnswered
        throw error
      })
      // A commit that is sent is waited for, whoever has lost interest meanwhile: nobody could say what came of it.
      if (!parts.options.isReadOnly) parts.onCommit()
      const committed = session.commit()
      const isHandedOn = session.isPipelined && handOn()
      await answered(committed, session, { parts, isHandedOn })
      return result
    })
  try {
    return await attempt()
  } catch (error) {
    if (!mayBeStale || signal.aborted || isAnswer(error)) throw error
    mayBeStale = false
    // A session that was idle has ended without a word. Nothing was committed on it, so a new one is tried.
    pool.forgetIdle()
    return await attempt()
  }
}

async function beforeCommit<S extends ServerSession, R>(
  session: S,
  { signal }: TransactionParts<S>,
  work: () => Promise<R>
): Promise<R> {
  try {
    return await orAborted(signal, () => session.interrupt(), work)
  } catch (error) {
    if (session.isUsable) await undone(session, signal).catch(() => session.destroy())
    throw error
  }
}

/** A server may never say so. */
function undone(session: ServerSession, signal: AbortSignal): Promise<void> {
  return orAborted(
    signal,
    () => session.destroy(),
    () => session.rollback()
  )
}

async function answered<S extends ServerSession>(
  committed: Promise<void>,
  session: S,
  { parts, isHandedOn }: { readonly parts: TransactionParts<S>; readonly isHandedOn: boolean }
): Promise<void> {
  const { server, isAnswer, options } = parts
  try {
    await committed
  } catch (error) {
    if (isAnswer(error)) {
      // Where the next transaction is on its way, this one has ended: rolling back would undo the next.
      if (!isHandedOn) await session.rollback().catch(() => session.destroy())
      throw error
    }
    const words = `The connection to ${server} was lost during the commit`
    if (options.isReadOnly) throw sqlError('sql_connection_lost', words, error)
    throw commitUnknown(`${words}: the change may have been made or not`, error)
  }
}
