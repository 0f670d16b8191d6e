/**
 * What the server is told of each connection, so that it lets go of what a process holds that says nothing any more. Locks
 * are held by sessions, and a session lives as long as the server thinks that somebody is there: a process that was
 * frozen, or whose machine is gone, in the middle of a transaction held up everybody else for hours.
 *
 * All of it is over before such a process is held to be dead (HEARTBEAT_SECONDS): whoever takes up its runs finds nothing locked.
 */

/** Between two statements of a transaction nothing is waited for but this process itself. */
const IDLE_IN_TRANSACTION_MS = 5_000

/** A machine that is gone does not answer: it is asked after this time, and given up when it has not answered in the rest of it. */
const KEEPALIVE_SECONDS = { idle: 4, interval: 1, count: 4 } as const

/**
 * What was sent and is not taken: by a machine that is gone, or by a process that stands still with more of an answer to read than
 * the network holds. A statement that waits for that goes on holding its locks, whatever its own time limit is.
 */
const NOT_TAKEN_MS = 8_000

/** Settings of which the server says nothing where its system knows none of them, or where the connection is no TCP. */
const tcp = [
  `tcp_keepalives_idle=${KEEPALIVE_SECONDS.idle}`,
  `tcp_keepalives_interval=${KEEPALIVE_SECONDS.interval}`,
  `tcp_keepalives_count=${KEEPALIVE_SECONDS.count}`,
  `tcp_user_timeout=${NOT_TAKEN_MS}`
]

/** In the other direction: a server whose machine is gone. Node asks every second from then on, ten times. */
export const ASK_SERVER_AFTER_MS = 5_000

/** As the `options` of a connection. */
export function sessionOptions(
  settings: readonly string[] = [],
  idleInTransactionMs = IDLE_IN_TRANSACTION_MS
): string {
  const all = [
    `idle_in_transaction_session_timeout=${idleInTransactionMs}`,
    // Statements that both stores share name no schema.
    'search_path=millrace,public',
    ...tcp,
    ...settings
  ]
  return all.map((setting) => `-c ${setting}`).join(' ')
}
