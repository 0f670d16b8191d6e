import type { FastifyRequest } from 'fastify'

export const CALLBACK = '/api/v1/connections/sign-in/callback'

export interface RedirectUriDeps {
  /** Where people reach the service; null where nobody said: then it is where the request came to. */
  readonly publicUrl: string | null
  readonly prefix: string
}

/** Where the provider of a connection sends the browser back to: it wants to know it of a client before. */
export function redirectUriOf(
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  { publicUrl, prefix }: RedirectUriDeps
): string {
  const own = publicUrl ?? `${request.protocol}://${request.host}${prefix}`
  return `${own}${CALLBACK}`
}
