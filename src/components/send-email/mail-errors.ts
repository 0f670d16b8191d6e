import { boundedWords, reachError, StepError } from '../../plugin-api.ts'

/** What nodemailer's errors carry. */
interface Carried {
  readonly code?: string
  /** Of the system, where `code` is one of nodemailer's. */
  readonly originalCode?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
  readonly rejectedErrors?: readonly Carried[]
  readonly timeoutType?: string
  readonly message: string
}

/** What a mail failed with, under a stable code and with what to do. 4xx may pass, 5xx does not. */
export function mailError(
  thrown: unknown,
  who: string,
  redact: (text: string) => string = (text) => text
): StepError {
  if (!(thrown instanceof Error)) return reachError(thrown, who)
  const carried = thrown as Carried
  if (thrown instanceof StepError) return withOwnCode(thrown, carried.originalCode)
  if (carried.responseCode !== undefined) return refusal(carried, carried.responseCode, who, redact)
  const code = carried.originalCode ?? carried.code ?? ''
  if (carried.timeoutType === 'GREETING_TIMEOUT') return silent(who)
  if (carried.code === 'EMESSAGE')
    return final('message_too_large', `${who} takes no mail of this size: ${carried.message}. Attach less.`)
  if (carried.code === 'EAUTH')
    return final('mail_sign_in_refused', `${who} offers no way to sign in that is known: ${carried.message}.`)
  if (carried.code === 'EPROTOCOL') return notMail(who)
  if (/^(?:EPROTO$|ERR_SSL_|ERR_TLS_(?!CERT))/.test(code) || (carried.code === 'ETLS' && code === 'ETLS'))
    return final(
      'tls_failed',
      `${who} does not speak TLS as it should. Check the port, and whether TLS begins at once (secure, as on port 465) or by STARTTLS (as on 587).`
    )
  const known = code === 'ECONNECTION' || code === 'ESOCKET' ? 'ECONNRESET' : code
  return reachError(Object.assign(new Error(carried.message), { code: known }), who)
}

/** nodemailer puts its own code in the place of that of an error of the socket. */
function withOwnCode(error: StepError, originalCode: string | undefined): StepError {
  if (originalCode === undefined) return error
  const { message, retryable } = error
  return new StepError(message, { code: originalCode, retryable, cause: error })
}

function refusal(carried: Carried, status: number, who: string, redact: (text: string) => string): StepError {
  // Before it is cut: half of a secret would not be found any more.
  const said = redact(boundedWords(carried.response ?? ''))
    .trim()
    .slice(0, 500)
  const { command = '' } = carried
  if (command === 'STARTTLS' || (command === 'EHLO' && status >= 500))
    return final(
      'tls_not_offered',
      `${who} offers no encryption (STARTTLS) and said: ${said}\nUse another port, set "secure" where TLS begins at once, or allow mail without encryption (allow_plain) for a server without a password.`
    )
  const mayPass = (carried.rejectedErrors ?? [carried]).some(
    ({ responseCode = status }) => responseCode < 500
  )
  if (mayPass)
    return new StepError(
      `${who} does not take the mail now and said: ${said}\nGive the node more attempts (retry) with some time between them.`,
      { code: 'mail_deferred' }
    )
  if (command.startsWith('AUTH'))
    return final(
      'mail_sign_in_refused',
      `${who} refused the sign-in and said: ${said}\nCheck user and password of the connection; some providers want a password made for this one program.`
    )
  if (carried.rejectedErrors !== undefined)
    return final(
      'recipients_refused',
      `${who} takes mail for none of the recipients and said: ${said}\nCheck the addresses, and whether this server may send to them.`
    )
  return final(
    'mail_refused',
    `${who} refused the mail (${command === '' ? 'at its greeting' : command}) and said: ${said}\nCheck the sender and the content; whoever runs the server knows its rules.`
  )
}

export function notMail(who: string): StepError {
  return final(
    'not_a_mail_server',
    `${who} does not answer as a mail server does. Check host and port, and whether TLS begins at once (secure).`
  )
}

/** It may be busy, so that it is tried again; but most of the time it waits for TLS to begin. */
function silent(who: string): StepError {
  return new StepError(
    `${who} took the connection and says nothing. Check host and port, and whether TLS begins at once (secure, as on port 465).`,
    { code: 'upstream_timeout' }
  )
}

function final(code: string, message: string): StepError {
  return new StepError(message, { code, retryable: false })
}
