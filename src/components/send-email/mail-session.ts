import type { Socket } from 'node:net'
import type SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import { type OpenConnection, StepError } from '../../plugin-api.ts'
import { boundAnswers, type GuardedSocket } from './bound-answers.ts'
import { mailError } from './mail-errors.ts'

type Smtp = InstanceType<typeof SmtpConnection>

/** What a connection of the kind `smtp` says. */
interface MailSettings {
  readonly host: string
  readonly port?: number
  readonly secure?: boolean
  readonly user?: string
  readonly from: string
  readonly ca?: string
  readonly allow_plain?: boolean
}

export interface Envelope {
  readonly from: string
  readonly to: readonly string[]
  readonly size: number
}

export interface Sent {
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
  readonly refusals: readonly { readonly address: string; readonly response: string }[]
  readonly response: string
}

/** A server that begins with TLS says nothing to who does not, for as long as that one waits. */
const GREETING_MS = 30_000

/** As long as a node may be given: its own time is what ends the session, by the signal. */
const LONGEST_MS = 86_400_000

/**
 * A session with a mail server: connected through the guard, encrypted, and signed in. TLS begins at once (`secure`, or port
 * 465), else by STARTTLS, which is demanded: who sits in between could leave it out of what the server offers. Without it
 * goes what never leaves this machine, and what the connection allows (`allow_plain`), and even then no password.
 */
export class MailSession {
  readonly #smtp: Smtp
  readonly #broken: Promise<never>
  readonly #who: string

  private constructor(smtp: Smtp, broken: Promise<never>, who: string) {
    this.#smtp = smtp
    this.#broken = broken
    this.#who = who
  }

  /** Opens one, lets it work, and closes it whatever comes. */
  static async with<R>(
    connection: OpenConnection,
    signal: AbortSignal,
    work: (session: MailSession) => Promise<R>
  ): Promise<R> {
    const settings = connection.settings as unknown as MailSettings
    const who = `${settings.host}, port ${portOf(settings)}`
    const socket = connection.socket() as GuardedSocket
    const hangUp = () => socket.destroy()
    signal.addEventListener('abort', hangUp, { once: true })
    try {
      signal.throwIfAborted()
      await connected(socket, settings)
      const session = await MailSession.#over(socket, settings, who)
      try {
        await session.#greet()
        if (settings.user !== undefined) await session.#signIn(settings.user, connection.secrets.password)
        return await work(session)
      } finally {
        session.#smtp.close()
      }
    } catch (error) {
      hangUp()
      throw mailError(error, who, connection.redact)
    } finally {
      signal.removeEventListener('abort', hangUp)
    }
  }

  /** Such as TLSv1.3; undefined where it is in the clear. */
  get encryption(): string | undefined {
    const { _socket: socket } = this.#smtp as unknown as {
      readonly _socket?: { getProtocol?: () => string | null }
    }
    return this.#smtp.secure ? (socket?.getProtocol?.() ?? 'TLS') : undefined
  }

  async send(envelope: Envelope, message: Buffer): Promise<Sent> {
    const info = await this.#ask<SMTPConnectionSendInfo>((done) =>
      this.#smtp.send({ ...envelope, to: [...envelope.to] }, message, done)
    )
    return {
      accepted: info.accepted ?? [],
      rejected: info.rejected ?? [],
      refusals: (info.rejectedErrors ?? []).map(({ recipient = '', response = '' }) => {
        return { address: recipient, response }
      }),
      response: info.response ?? ''
    }
  }

  /** Says good-bye; whether the server hears it does not matter. */
  leave(): void {
    this.#smtp.quit()
  }

  static async #over(socket: GuardedSocket, settings: MailSettings, who: string): Promise<MailSession> {
    const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection')
    const { host, user, ca } = settings
    const smtp = new SmtpConnection({
      connection: socket,
      host,
      port: portOf(settings),
      secure: isSecure(settings),
      requireTLS: user !== undefined || !mayBePlain(settings, socket),
      connectionTimeout: LONGEST_MS,
      greetingTimeout: GREETING_MS,
      socketTimeout: LONGEST_MS,
      ...(ca !== undefined && { tls: { ca } })
    })
    boundAnswers(smtp, socket, who)
    const broken = new Promise<never>((_resolve, reject) => {
      smtp.once('error', reject)
      smtp.once('end', () => reject(Object.assign(new Error('It hung up.'), { code: 'ECONNRESET' })))
    })
    broken.catch(() => {})
    // Nobody waits for a further error of a session that is over.
    smtp.on('error', () => {})
    return new MailSession(smtp, broken, who)
  }

  #greet(): Promise<unknown> {
    return this.#ask((done) => this.#smtp.connect((error) => done(error ?? null, undefined)))
  }

  #signIn(user: string, password = ''): Promise<unknown> {
    // STARTTLS was demanded; that it came about is looked at all the same before a password leaves.
    if (!this.#smtp.secure) throw inTheClear(this.#who)
    return this.#ask((done) =>
      this.#smtp.login({ user, pass: password }, (error) => done(error ?? null, undefined))
    )
  }

  #ask<R>(work: (done: (error: Error | null, result?: R) => void) => void): Promise<R> {
    const answered = new Promise<R>((resolve, reject) => {
      work((error, result) => (error === null ? resolve(result as R) : reject(error)))
    })
    answered.catch(() => {})
    return Promise.race([answered, this.#broken])
  }
}

function connected(socket: Socket, settings: MailSettings): Promise<void> {
  socket.setNoDelay(true)
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
    socket.once('close', () => reject(Object.assign(new Error('It hung up.'), { code: 'ECONNRESET' })))
    socket.connect(portOf(settings), settings.host)
  })
}

function portOf({ port = 587 }: MailSettings): number {
  return port
}

/** Port 465 is for TLS from the first byte, and for nothing else. */
function isSecure(settings: MailSettings): boolean {
  return settings.secure ?? portOf(settings) === 465
}

function mayBePlain({ allow_plain = false }: MailSettings, { remoteAddress = '' }: Socket): boolean {
  return allow_plain || /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)
}

function inTheClear(who: string): StepError {
  return new StepError(
    `${who} is not encrypted, and a password is never sent in the clear. Use a port with TLS, or take the user out of the connection.`,
    { code: 'tls_not_offered', retryable: false }
  )
}
