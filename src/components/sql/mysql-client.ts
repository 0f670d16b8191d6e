import type { Connection, ConnectionOptions } from 'mysql2'
import type { OpenConnection } from '../../plugin-api.ts'
import type { GuardedSocket } from './guarded-socket.ts'
import { MessageBounds, MYSQL_FRAMING } from './message-bounds.ts'
import type { DatabaseSettings } from './server-settings.ts'

export type MySql = typeof import('mysql2')

/** A connection that does not come about in this time will not. */
export const CONNECT_WITHIN_MS = 10_000

export const COLLATION = 'UTF8MB4_UNICODE_CI'

interface GuardedClient {
  readonly client: Connection
  readonly socket: GuardedSocket
  readonly bounds: MessageBounds
}

/** What the driver has and its types do not tell. */
interface InnerClient {
  readonly stream: GuardedSocket
  readonly sequenceId: number
  startTLS(onSecure: (error?: Error) => void): void
  handlePacket(packet?: { sequenceId: number }): void
}

/** The driver on a guarded socket. */
export function openClient(mysql: MySql, connection: OpenConnection): GuardedClient {
  const { host, port } = addressOf(connection)
  const socket = connection.socket() as GuardedSocket
  const bounds = new MessageBounds(MYSQL_FRAMING)
  socket.setNoDelay(true)
  socket.guard(socket, bounds.look)
  socket.connect(port, host)
  const client = mysql.createConnection(configOf(connection, socket))
  const inner = client as unknown as InnerClient
  const { startTLS, handlePacket } = inner
  inner.startTLS = (onSecure) => {
    startTLS.call(inner, onSecure)
    socket.guard(inner.stream, bounds.look)
  }
  // The driver takes packets in any order, but writes a line about each: a server could fill the log and hold the thread.
  inner.handlePacket = (packet) => {
    if (packet !== undefined) packet.sequenceId = inner.sequenceId
    handlePacket.call(inner, packet)
  }
  return { client, socket, bounds }
}

export function addressOf({ settings }: OpenConnection): { readonly host: string; readonly port: number } {
  const { host, port = 3306 } = settings as { host: string; port?: number }
  return { host, port }
}

function configOf(connection: OpenConnection, socket: GuardedSocket): ConnectionOptions {
  const { settings, secrets } = connection
  const { database, user, ssl, ca } = settings as unknown as DatabaseSettings
  const { host, port } = addressOf(connection)
  const isChecked = ssl !== 'no-verify'
  const tls = {
    rejectUnauthorized: isChecked,
    verifyIdentity: isChecked,
    ...(ca === undefined ? {} : { ca })
  }
  return {
    host,
    port,
    database,
    user,
    password: secrets.password ?? '',
    ...(ssl ? { ssl: tls } : {}),
    stream: socket,
    connectTimeout: CONNECT_WITHIN_MS,
    charset: COLLATION,
    // Numbers, dates and JSON as the server writes them: what they become is decided here.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
    // No code is made of the names of columns, and no file of this machine is read for a server that asks for it.
    disableEval: true,
    flags: ['-LOCAL_FILES']
  }
}
