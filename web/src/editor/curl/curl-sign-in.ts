import { isSecretName as isSecretOfRequest } from '../../../../src/flows/request-secrets.ts'
import type { CurlRequest } from './read-curl.ts'

/** What a connection of the kind `http` would be made of, to sign in as the command does. */
export interface CurlSignIn {
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

/** They count what is written, or say where a list goes on. */
const NO_SECRET = /tokens$|(?:page|next|continuation|sync)[-_ ]?token$/i
const MORE_SECRETS = /session|^appid$/i

/** Whether a header or a parameter of this name is likely to hold a secret: what is redacted where it comes in is not sent openly either. */
export function isSecretName(name: string): boolean {
  return !NO_SECRET.test(name) && (isSecretOfRequest(name) || MORE_SECRETS.test(name))
}

/** Undefined where the command shows nobody who sends it, or in a way that no connection knows. */
export function curlSignIn(request: CurlRequest): CurlSignIn | undefined {
  const { user, bearer, headers, url } = request
  const { origin: base_url } = url
  if (bearer !== undefined) return { settings: { base_url, auth: 'bearer' }, secrets: { token: bearer } }
  if (user !== undefined) return basic(base_url, user.name, user.password)
  const found = headers.find(
    ([name]) => isSecretName(name) && !/^(?:cookie|proxy-authorization)$/i.test(name)
  )
  return found === undefined ? undefined : byHeader(base_url, ...found)
}

function byHeader(base_url: string, name: string, value: string): CurlSignIn {
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(value) ?? []
  if (/^authorization$/i.test(name)) {
    if (/^bearer$/i.test(scheme)) return { settings: { base_url, auth: 'bearer' }, secrets: { token: rest } }
    const pair = /^basic$/i.test(scheme) ? decoded(rest) : undefined
    if (pair !== undefined) return basic(base_url, pair.replace(/:.*$/s, ''), pair.replace(/^[^:]*:?/s, ''))
  }
  return { settings: { base_url, auth: 'header', header: name }, secrets: { value } }
}

function basic(base_url: string, user: string, password: string): CurlSignIn {
  return { settings: { base_url, auth: 'basic', user }, secrets: { password } }
}

function decoded(base64: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)))
  } catch {
    return undefined
  }
}
