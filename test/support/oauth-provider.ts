import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { cleanUp, type Lifetime } from './clean-up.ts'

/** Every token begins with it: it must be found nowhere. */
export const OAUTH_CANARY = 'canary-token'

/** A provider of OAuth 2 with its API. Codes and refresh tokens are good once, as the stricter ones have it. */
export interface OAuthProvider {
  readonly url: string
  /** What a person does who says yes there: returns the query that their browser comes back with. */
  signIn(address: string): string
  /** The token that is in use is refused from now on. */
  revoke(): void
  /** How many tokens it has given out. */
  issued(): number
}

/**
 * | Path | What it does |
 * |---|---|
 * | `/authorize` | a page with two links, by which a person allows or denies it |
 * | `/token` | codes and refresh tokens become tokens |
 * | any other | 200 for whoever has the token, else 401 |
 */
export async function startOAuthProvider(test: Lifetime): Promise<OAuthProvider> {
  const challenges = new Map<string, string>()
  const refreshTokens = new Set<string>()
  let issued = 0
  let access = ''

  function grant(form: Record<string, string>): object | undefined {
    const { grant_type, code = '', code_verifier = '', refresh_token = '' } = form
    const isRight =
      grant_type === 'authorization_code'
        ? challenges.get(code) === createHash('sha256').update(code_verifier).digest('base64url')
        : refreshTokens.delete(refresh_token)
    challenges.delete(code)
    if (!isRight) return undefined
    issued++
    access = `${OAUTH_CANARY}-${issued}`
    refreshTokens.add(`${OAUTH_CANARY}-refresh-${issued}`)
    return { access_token: access, refresh_token: `${OAUTH_CANARY}-refresh-${issued}`, expires_in: 3600 }
  }

  async function answer(request: IncomingMessage): Promise<[number, object]> {
    if (request.url === '/token') {
      const granted = grant(Object.fromEntries(new URLSearchParams(await text(request))))
      return granted === undefined ? [400, { error: 'invalid_grant' }] : [200, granted]
    }
    return [request.headers.authorization === `Bearer ${access}` ? 200 : 401, {}]
  }

  function signIn(address: string): string {
    const { searchParams: asked } = new URL(address)
    if (asked.get('code_challenge_method') !== 'S256') throw new Error('PKCE is missing')
    const code = randomBytes(8).toString('hex')
    challenges.set(code, asked.get('code_challenge')!)
    return `?${new URLSearchParams({ code, state: asked.get('state')! })}`
  }

  function showPage({ url }: IncomingMessage, response: ServerResponse): void {
    const address = `http://provider${url}`
    const { searchParams: asked } = new URL(address)
    const back = asked.get('redirect_uri')!
    const no = new URLSearchParams({ error: 'access_denied', state: asked.get('state')! })
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><title>Provider</title><a href="${back}${signIn(address).replace('&', '&amp;')}">Allow</a> <a href="${back}?${String(no).replace('&', '&amp;')}">Deny</a>`
      )
  }

  const server = createServer((request, response) => {
    if (request.url?.startsWith('/authorize')) return showPage(request, response)
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(test, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signIn,
    revoke: () => {
      access = ''
    },
    issued: () => issued
  }
}
