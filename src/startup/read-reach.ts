import { MillraceError } from '../errors.ts'
import { OWN_PATHS } from '../http/requests/public-path.ts'
import { readTrustedProxies } from '../http/requests/trusted-proxies.ts'

/** How the service is reached from outside. */
export interface Reach {
  /** Which proxies are believed; see http/requests/trusted-proxies.ts. Null: no proxy. */
  readonly trustProxy: string | null
  /** Where people reach the service, with the path below which it is, without a slash at its end; null where that is where it listens. */
  readonly publicUrl: string | null
  /** Further names that it answers to; see http/requests/known-hosts.ts. */
  readonly allowedHosts: readonly string[]
}

type Env = Readonly<Record<string, string | undefined>>

export function readReach(env: Env): Reach {
  return {
    trustProxy: readTrustProxy(env.MILLRACE_TRUST_PROXY?.trim() || null),
    publicUrl: readPublicUrl(env.MILLRACE_PUBLIC_URL?.trim() || null),
    allowedHosts: readAllowedHosts(env.MILLRACE_ALLOWED_HOSTS ?? '')
  }
}

function readTrustProxy(text: string | null): string | null {
  if (text === null || readTrustedProxies(text) !== undefined) return text
  throw invalid(
    `MILLRACE_TRUST_PROXY is ${JSON.stringify(text)}. Write the addresses of your proxies, comma separated, for example 10.0.0.0/8 or loopback; or how many stand before Millrace, for example 1.`
  )
}

function readPublicUrl(text: string | null): string | null {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname
  if (!isPlain || !PATH.test(url.pathname)) {
    throw invalid(
      `MILLRACE_PUBLIC_URL is ${JSON.stringify(text)}. Write the address that people use, for example https://flows.example.com or https://example.com/flows.`
    )
  }
  const first = url.pathname.split('/')[1]!
  if (!OWN_PATHS.includes(first)) return url.origin + url.pathname.replace(/\/$/, '')
  throw invalid(
    `MILLRACE_PUBLIC_URL is ${JSON.stringify(text)}, and Millrace has addresses of its own below /${first}. Choose another path, for example ${url.origin}/flows.`
  )
}

/** Without what proxies write in several ways. */
const PATH = /^(?:\/[a-z0-9._~-]+)*\/?$/i

/** A name, or `*.` and a name, or `*`. */
const HOST_PATTERN = /^(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/i

function readAllowedHosts(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const bad = names.find((name) => !HOST_PATTERN.test(name))
  if (bad === undefined) return names
  throw invalid(
    `MILLRACE_ALLOWED_HOSTS names ${JSON.stringify(bad)}. Write names without scheme and port, comma separated, for example flows.example.com,*.internal; * allows any.`
  )
}

function invalid(message: string): MillraceError {
  return new MillraceError('config_invalid', message)
}
