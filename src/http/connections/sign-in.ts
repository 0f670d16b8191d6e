import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import type { Authorization } from '../../connections/oauth/authorization.ts'
import { StepError } from '../../engine/step-error.ts'
import { MillraceError, messageOf } from '../../errors.ts'
import { escaped } from '../../flows/escape-html.ts'
import { Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { may } from '../../keys/rights.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { actorOf } from '../access/access.ts'
import type { Callers } from '../access/callers.ts'
import { documentStyle, sendDocument } from '../page/plain-document.ts'
import { IdParams } from '../schemas.ts'
import { administers, visibleConnection } from './administered.ts'
import { CALLBACK, type RedirectUriDeps, redirectUriOf } from './redirect-uri.ts'

interface ConnectionSignInDeps extends RedirectUriDeps {
  readonly connections: ConnectionLibrary
  readonly authorization: Authorization
  readonly callers: Callers
}

interface CameBack {
  readonly state?: string
  readonly code?: string
  readonly error?: string
  readonly error_description?: string
  /** Set where the browser was sent here once more, by ourselves. */
  readonly again?: string
}

/** A person signs in at the provider of a connection, once; see connections/oauth/authorization.ts. */
export function connectionSignInRoutes(app: FastifyInstance, deps: ConnectionSignInDeps): void {
  const { connections, authorization } = deps

  app.post<{ Params: { id: string } }>(
    '/api/v1/connections/:id/sign-in',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['Connections'],
        operationId: 'beginConnectionSignIn',
        summary: 'Begin to sign in for a connection',
        refuses: ['connection_not_found', 'connection_without_sign_in', 'secret_key_missing'],
        description:
          'For OAuth 2 with an authorization code. Answers the address to open in a browser that is signed in to the page with the same key.',
        params: IdParams,
        response: {
          200: Type.Object({
            url: Type.String({ description: 'Where the person signs in' }),
            redirect_uri: Type.String({ description: 'What the provider has to know as this client’s' }),
            expires_at: Time
          })
        }
      }
    },
    async (request) => {
      const connection = visibleConnection(request, connections)
      const redirectUri = redirectUriOf(request, deps)
      const { url, expiresAt } = authorization.begin(connection, {
        keyId: actorOf(request).keyId,
        redirectUri
      })
      return { url, redirect_uri: redirectUri, expires_at: timeText(expiresAt) }
    }
  )

  app.get<{ Querystring: CameBack }>(
    CALLBACK,
    { config: { access: 'public' }, schema: { hide: true, response: { 200: Type.String() } } },
    async (request, reply) => {
      const session = deps.callers.sessionOf(request)
      // A browser that another site has sent leaves our cookie out. Sent by ourselves it comes with it.
      if (session === undefined && request.query.again === undefined) return sendOnce(request, reply)
      try {
        const name = await finish(request, deps)
        return answer(
          reply,
          200,
          'Signed in',
          `The connection "${name}" is ready to use. You can close this window.`
        )
      } catch (error) {
        if (!(error instanceof StepError) && !(error instanceof MillraceError)) throw error
        return answer(reply, 400, 'Not signed in', messageOf(error))
      }
    }
  )
}

async function finish(
  request: FastifyRequest<{ Querystring: CameBack }>,
  { connections, authorization, callers }: ConnectionSignInDeps
): Promise<string> {
  const { state, code, error, error_description: description } = request.query
  const actor = callers.sessionOf(request)?.actor
  const begun =
    actor === undefined || typeof state !== 'string' ? undefined : authorization.read(state, actor.keyId)
  if (actor === undefined || begun === undefined) throw notBegun()
  const connection = connections.find(begun.connection)
  if (connection === undefined || !may(actor, 'admin') || !administers(actor, connection.context))
    throw notBegun()
  if (typeof code !== 'string' || code === '') throw refusedBy(error, description)
  await authorization.finish(connection, begun, code)
  return connection.name
}

function notBegun(): MillraceError {
  return new MillraceError(
    'unauthorized',
    'This sign-in was not started in this browser, or more than ten minutes ago. Open the connections page of Millrace and start again.'
  )
}

function refusedBy(error: unknown, description: unknown): MillraceError {
  const said = [error, description].filter((part) => typeof part === 'string').join(': ')
  return new MillraceError(
    'unauthorized',
    `The provider did not let you in${said === '' ? '' : ` (${said.slice(0, 300)})`}. Start again, or ask whoever runs it.`
  )
}

function sendOnce(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const query = request.url.slice(request.url.indexOf('?') + 1)
  const refresh = `<meta http-equiv="refresh" content="0;url=?${escaped(`${query}&again=1`)}">`
  const head = `${refresh}<title>Millrace</title>`
  return sendDocument(reply, { status: 200, style: STYLE, head, body: '<p>One moment …</p>' })
}

function answer(reply: FastifyReply, status: number, title: string, text: string): FastifyReply {
  const head = `<title>${escaped(title)} – Millrace</title>`
  const body = `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>`
  return sendDocument(reply, { status, style: STYLE, head, body })
}

const STYLE = documentStyle(`:root{color-scheme:light dark}
body{max-width:32rem;margin:15vh auto;padding:0 1.5rem;font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.25rem}p{overflow-wrap:anywhere}`)
