import type { IncomingHttpHeaders } from 'node:http'

/** Which page a browser says that a request comes from: one of ours, another site's, or it is no browser. */
export type RequestOrigin = 'same' | 'other' | 'unknown'

/**
 * A browser adds its session cookie to a request whoever made it, so for a request that changes something the
 * browser is asked who did. Browsers say it in Sec-Fetch-Site; to an address that is neither https nor this machine
 * they do not, and there it is the Origin that tells. Neither can be set by a page.
 *
 * X-Forwarded-Host is believed, from whomever it comes: a page can only send it where we allow it to, and we never do.
 */
export function originOf(headers: IncomingHttpHeaders): RequestOrigin {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'same' : 'other'
  if (headers.origin === undefined) return 'unknown'
  const origin = hostOf(headers.origin)
  const hosts = [headers.host, firstOf(headers['x-forwarded-host'])]
  return origin !== undefined && hosts.some((host) => host?.toLowerCase() === origin) ? 'same' : 'other'
}

/** Undefined for `null`, which a page sends that must not say where it is from. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return String(header ?? '')
    .split(',')[0]
    ?.trim()
}
