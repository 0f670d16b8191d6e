/**
 * The path below which people reach a service that stands behind a proxy: `/flows` of https://example.com/flows. Some
 * proxies take it off before they pass a request on, some do not: it is taken off here where it is still there.
 */
export function pathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
}

/** The address as the service knows it. */
export function withoutPublicPath(url: string, path: string): string {
  if (path === '' || !url.startsWith(path)) return url
  const rest = url.slice(path.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url
}

/** What the first part of the path must not be: what came without it could not be told from what came with it. */
export const OWN_PATHS = ['api', 'v1', 'approve', 'form', 'assets', 'sign-in', 'livez', 'readyz', 'metrics']
