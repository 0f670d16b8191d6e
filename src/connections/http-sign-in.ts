import type { Connection } from './connection.ts'
import type { HttpAuth } from './kinds/http-kind.ts'

type Headers = Readonly<Record<string, string>>

/** The headers by which a request shows who sends it; none where the connection asks for none. */
export function signInHeaders(
  { kind, settings }: Connection,
  secrets: Readonly<Record<string, string>>
): Headers {
  const { token = '', password = '', value = '' } = secrets
  if (kind === 'mcp')
    return token === '' || settings.auth === 'oauth2' ? {} : { authorization: `Bearer ${token}` }
  if (kind !== 'http') return {}
  switch ((settings.auth ?? 'none') as HttpAuth) {
    case 'bearer':
      return { authorization: `Bearer ${token}` }
    case 'basic':
      return { authorization: `Basic ${base64(`${String(settings.user ?? '')}:${password}`)}` }
    case 'header':
      return { [String(settings.header).toLowerCase()]: value }
    case 'none':
    case 'query':
    case 'oauth2':
      return {}
  }
}

/** What a mail server is told by the way to sign in that most take (RFC 4616): one that says it again says the password. */
export function mailSignIn({ kind, settings }: Connection, { password = '' }: Headers): string[] {
  if (kind !== 'smtp' || password === '') return []
  return [base64(`\0${String(settings.user ?? '')}\0${password}`)]
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}
