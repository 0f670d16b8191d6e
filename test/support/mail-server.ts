import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type Certificate, VALID } from './certificates.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'

/** A mail as the server got it. */
export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body. */
  readonly source: string
  readonly user: string | undefined
  readonly isEncrypted: boolean
}

export interface MailServer {
  readonly port: number
  readonly mails: readonly TakenMail[]
  /** Resolves when it has got so many, whatever it says to the last one. */
  took(count: number): Promise<void>
}

export interface MailServerOptions {
  /** `at once`, by STARTTLS, or not at all. */
  readonly tls?: 'at once' | 'starttls' | 'none'
  readonly certificate?: Certificate
  /** Who signs in by `ann` and this; nobody has to where it is left out. */
  readonly password?: string
  /** What it says besides to a mail that it takes, and to a recipient that it does not: `refused@mail.example`. */
  readonly says?: string
  /** What it says to a recipient or to a whole mail; taken where it says nothing. */
  readonly refuse?: (about: { readonly recipient?: string; readonly mail?: TakenMail }) => Refusal | undefined
  /** Waited for before it says that a mail is taken. */
  readonly beforeTaken?: (mail: TakenMail) => Promise<void> | undefined
}

export type Refusal = readonly [status: number, words: string]

/** A real mail server that keeps what it gets. */
export async function startMailServer(test: Lifetime, options: MailServerOptions = {}): Promise<MailServer> {
  const { tls = 'starttls', certificate = VALID, password, says = '', beforeTaken } = options
  const {
    refuse = ({ recipient }) => (recipient === 'refused@mail.example' ? [550, `No ${says}`] : undefined)
  } = options
  const mails: TakenMail[] = []
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>()
  const settings: SMTPServerOptions = {
    ...certificate,
    secure: tls === 'at once',
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(password === undefined ? ['AUTH'] : [])],
    authOptional: password === undefined,
    disableReverseLookup: true,
    onAuth: ({ username, password: given }, _session, done) => {
      if (username === 'ann' && given === password) done(null, { user: username })
      else done(failure([535, `Not ${given}`]))
    },
    onRcptTo: ({ address }, _session, done) => done(failure(refuse({ recipient: address }))),
    onData: async (stream, session, done) => {
      const pieces: Buffer[] = []
      for await (const piece of stream) pieces.push(piece)
      const { mailFrom, rcptTo } = session.envelope
      const mail: TakenMail = {
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        source: Buffer.concat(pieces).toString(),
        user: session.user as string | undefined,
        isEncrypted: session.secure
      }
      mails.push(mail)
      for (const { count, resolve } of waiting) if (mails.length >= count) resolve()
      await beforeTaken?.(mail)
      done(failure(refuse({ mail })), `Taken as 42${says}`)
    }
  }
  const server = new SMTPServer(settings)
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(test, () => new Promise<void>((resolve) => server.close(resolve)))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    took: (count) =>
      new Promise((resolve) => {
        if (mails.length >= count) resolve()
        else waiting.add({ count, resolve })
      })
  }
}

function failure(refusal: Refusal | undefined): Error | null {
  if (refusal === undefined) return null
  const [responseCode, words] = refusal
  return Object.assign(new Error(words), { responseCode })
}
