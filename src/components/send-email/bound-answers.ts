import type { Socket } from 'node:net'
import type SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { GuardsStreams } from '../../plugin-api.ts'
import { notMail } from './mail-errors.ts'

/** What `socket` of a connection gives. */
export type GuardedSocket = Socket & GuardsStreams

/** All that a server says in a session, which sends one mail: a line or two for each recipient, and some more. */
const MOST_BYTES = 1024 ** 2
const MOST_LINES = 10_000

const LINE_FEED = 0x0a

/** What the library has and its types do not tell. */
interface InnerSmtp {
  readonly _socket: GuardedSocket
  readonly _destroyed: boolean
  _responseQueue: string[]
  _remainder: string
  _upgradeConnection(callback: (error: Error | null) => void): void
  _processResponse(): void
  _onError(error: unknown, type: string, response: false, command: string): void
}

/**
 * Bounds what a mail server says before the library sees it. The library takes one line in each turn of the thread from a
 * list that the server makes as long as it likes, and goes on with it when the session is over.
 */
export function boundAnswers(
  smtp: InstanceType<typeof SmtpConnection>,
  socket: GuardedSocket,
  who: string
): void {
  const inner = smtp as unknown as InnerSmtp
  const { _upgradeConnection: upgrade, _processResponse: processNext } = inner
  const look = lookAtAnswers(who)
  socket.guard(socket, look)
  inner._upgradeConnection = (callback) => {
    upgrade.call(inner, callback)
    if (inner._socket !== socket) socket.guard(inner._socket, look)
  }
  inner._processResponse = () => {
    if (inner._destroyed) {
      inner._responseQueue = []
      inner._remainder = ''
      return
    }
    try {
      processNext.call(inner)
    } catch (error) {
      // It is called from a timer, too.
      inner._onError(error, 'EPROTOCOL', false, 'CONN')
    }
  }
}

function lookAtAnswers(who: string): (chunk: Uint8Array) => void {
  let bytes = 0
  let lines = 0
  return (chunk) => {
    bytes += chunk.length
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++
    if (bytes > MOST_BYTES || lines > MOST_LINES) throw notMail(who)
  }
}
