import type { RouteOptions } from 'fastify'
import { type ProblemCode, problems } from '../../errors.ts'

/** All that a request to the route may be refused with, by status. What a plugin refuses with is its own affair. */
export function refusalsOf(route: RouteOptions): Map<number, ProblemCode[]> {
  const codes = new Set([...inCommon(route), ...(route.schema?.refuses ?? [])])
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of [...codes].sort()) {
    const { status } = problems[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

function inCommon(route: RouteOptions): ProblemCode[] {
  return [
    'unknown_host',
    'internal_error',
    ...(route.url.includes(':') ? (['bad_request', 'uri_too_long'] as const) : []),
    ...ofItsGuard(route),
    ...ofWhatItReads(route)
  ]
}

function ofItsGuard({ config, method }: RouteOptions): ProblemCode[] {
  const access = config?.access
  if (access === 'public' || access === 'own guard') return []
  return [
    'unauthorized',
    'keys_limited',
    'store_unwritable',
    ...(access === 'any key' ? [] : (['forbidden'] as const)),
    ...(method === 'GET' ? [] : (['cross_site_request'] as const))
  ]
}

function ofWhatItReads({ schema, config, method }: RouteOptions): ProblemCode[] {
  const { querystring, params, body } = schema ?? {}
  const isChecked = [querystring, body, config?.takes?.body, isOnlyText(params) ? undefined : params].some(
    (part) => part !== undefined
  )
  return [
    ...(isChecked ? (['invalid_request'] as const) : []),
    ...(method === 'GET'
      ? []
      : (['bad_request', 'body_too_large', 'unsupported_media_type', 'backlog_full'] as const))
  ]
}

function isOnlyText(params: unknown): boolean {
  const { properties = {} } = Object(params) as { readonly properties?: Record<string, { type?: string }> }
  return Object.values(properties).every(({ type }) => type === 'string')
}
