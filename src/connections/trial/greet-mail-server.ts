import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { connect as startTls } from 'node:tls'
import { StepError } from '../../engine/step-error.ts'
import type { OpenConnection } from '../../flows/step-connection.ts'

/** A server that says more than this in greeting is none of mail. */
const MOST_CHARACTERS = 64 * 1024

/** Connects, lets the server greet, says hello and good-bye. No mail is sent and nobody signs in. */
export async function greetMailServer(connection: OpenConnection, signal: AbortSignal): Promise<string> {
  const { host, port = 587, secure = false } = connection.settings as unknown as MailSettings
  const plain = connection.socket() as Socket
  signal.addEventListener('abort', () => plain.destroy(), { once: true })
  try {
    plain.connect(port, host)
    await once(plain, 'connect')
    const socket = secure ? await encrypted(plain, host) : plain
    const replies = repliesFrom(socket)
    const greeting = await expect(replies, '220')
    socket.write('EHLO [127.0.0.1]\r\n')
    await expect(replies, '250')
    socket.write('QUIT\r\n')
    return `${host} greeted: ${greeting.slice(0, 200).trim()} No mail was sent, and nobody signed in.`
  } finally {
    plain.destroy()
  }
}

interface MailSettings {
  readonly host: string
  readonly port?: number
  readonly secure?: boolean
}

async function encrypted(plain: Socket, host: string): Promise<Socket> {
  const socket = startTls({ socket: plain, host, ...(isIP(host) === 0 && { servername: host }) })
  await once(socket, 'secureConnect')
  return socket
}

/** A reply has several lines; in the last one a space follows the number. */
async function* repliesFrom(socket: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  let text = ''
  for await (const part of socket) {
    text += part.toString('latin1')
    if (text.length > MOST_CHARACTERS) return
    for (let last = lastLine(text); last !== null; last = lastLine(text)) {
      const end = last.index + last[0].length
      yield text.slice(0, end)
      text = text.slice(end)
    }
  }
}

function lastLine(text: string): RegExpExecArray | null {
  return /^\d{3}(?: [^\n]*)?\r?\n/m.exec(text)
}

async function expect(replies: AsyncGenerator<string, undefined>, code: string): Promise<string> {
  const { value: reply } = await replies.next()
  if (reply?.startsWith(code) === true) return reply
  const said = reply === undefined ? 'closed the connection' : `answered ${reply.slice(0, 200).trim()}`
  throw new StepError(
    `The server ${said}, and not ${code} as a mail server does. Check host and port, and whether TLS begins at once (secure).`,
    { code: 'not_a_mail_server' }
  )
}
