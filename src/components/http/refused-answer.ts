/** What an answer that is no success says of the receiver, as errors name it. */
export function upstreamCode(status: number): string {
  if (status === 401 || status === 403) return 'upstream_unauthorized'
  if (status === 429) return 'upstream_rate_limited'
  return status >= 500 ? 'upstream_failed' : 'upstream_refused'
}

/** A query may hold what is nobody else's business. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
