import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { MillraceError } from '../../errors.ts'
import { CONTEXT_PATH, VISIBLE } from '../../flows/document/flow-document.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { CONFIGURED_BY, type KeyRing } from '../../keys/key-ring.ts'
import { may, RIGHT_HELP, RIGHTS } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { StoredKey } from '../../store/credentials.ts'
import { readTime } from '../requests/read-time.ts'
import { IdParams, nothing, sentTime } from '../schemas.ts'
import { actorOf, assertUnbound, unauthorized, visibleFlow } from './access.ts'

const tags = ['Keys']

const NewKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: VISIBLE }),
    rights: Type.Optional(
      Type.Array(Type.Enum(RIGHTS), {
        minItems: 1,
        description: RIGHTS.map((right) => `${right}: ${RIGHT_HELP[right]}`).join('; ')
      })
    ),
    flow: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Id or slug of the one flow it is for' })
    ),
    flow_id: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'The same as flow' })),
    context: Type.Optional(
      Type.Union([Type.String({ pattern: CONTEXT_PATH }), Type.Null()], {
        description: 'The context it is for'
      })
    ),
    expires_at: Type.Optional(
      Type.Union([sentTime('When it stops being good'), Type.Null()], {
        description:
          'Left out, it is good until it is revoked or, where the key that makes it expires, for as long as that one'
      })
    )
  },
  { additionalProperties: false }
)

export const Key = Type.Object({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'How the key begins' }),
  rights: Type.Array(Type.Enum(RIGHTS)),
  flow_id: Nullable(Type.String()),
  context: Nullable(Type.String()),
  created_at: Time,
  expires_at: Nullable(Time),
  last_used_at: Nullable(Time),
  set_by: Nullable(
    Type.String({
      description: 'The variable that sets it; such a key cannot be revoked. Null for all others'
    })
  )
})

const MadeKey = Type.Object({
  ...Key.properties,
  key: Type.String({ description: 'The key itself, shown this once' })
})

type NewKey = Static<typeof NewKey>

interface KeyRoutesDeps {
  readonly keys: KeyRing
  readonly library: FlowLibrary
  readonly now: () => number
}

/** API keys. The key itself is shown once, in the answer that makes it. */
export function keyRoutes(app: FastifyInstance, deps: KeyRoutesDeps): void {
  const { keys } = deps
  const config = { access: 'admin' } as const

  app.get(
    '/api/v1/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'listKeys',
        summary: 'List keys',
        response: { 200: Type.Object({ keys: Type.Array(Key) }) }
      }
    },
    async (request) => {
      assertUnbound(request)
      return { keys: keys.list().map((key) => presentKey(key, keys)) }
    }
  )

  app.post<{ Body: NewKey }>(
    '/api/v1/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'createKey',
        summary: 'Make a key',
        refuses: ['flow_not_found'],
        body: NewKey,
        response: { 201: MadeKey }
      }
    },
    async (request, reply) => {
      assertUnbound(request)
      const { key, secret } = await keys.create(readNewKey(request, request.body, deps))
      return reply.code(201).send({ ...presentKey(key, keys), key: secret })
    }
  )

  app.delete<{ Params: { id: string } }>(
    '/api/v1/keys/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        refuses: ['key_not_found', 'key_is_configured', 'key_is_last_admin'],
        params: IdParams,
        response: { 204: nothing('Revoked') }
      }
    },
    async (request, reply) => {
      assertUnbound(request)
      await keys.remove(request.params.id)
      return reply.code(204).send()
    }
  )
}

function readNewKey(request: FastifyRequest, sent: NewKey, { keys, library, now }: KeyRoutesDeps) {
  const rights = [...new Set(sent.rights ?? (['trigger'] as const))]
  const actor = actorOf(request)
  const maker = keys.get(actor.keyId)
  if (maker === undefined) throw unauthorized()
  for (const right of rights) {
    if (!may(actor, right)) {
      throw new MillraceError(
        'forbidden',
        `The key "${actor.name}" cannot give the right "${right}" that it lacks itself.`
      )
    }
  }
  const reference = sent.flow ?? sent.flow_id ?? null
  return {
    name: sent.name,
    rights,
    flowId: reference === null ? null : visibleFlow(request, library, reference).id,
    context: sent.context ?? null,
    expiresAt: expiryWithin(maker.key, sent.expires_at == null ? null : readExpiry(sent.expires_at, now()))
  }
}

/** Whoever lets somebody in for a time does not let them stay by keys of their own. */
function expiryWithin({ name, expiresAt: own }: StoredKey, asked: number | null): number | null {
  if (own === null) return asked
  if (asked === null || asked <= own) return asked ?? own
  throw new MillraceError(
    'forbidden',
    `The key "${name}" cannot make a key that is good for longer than itself, and it is good until ${timeText(own)}. Choose an earlier "expires_at", or leave it out.`
  )
}

function readExpiry(text: string, now: number): number {
  const ms = readTime(text)
  if (ms !== undefined && ms > now) return ms
  const what = ms === undefined ? 'is not a time' : 'lies in the past'
  const message = `"expires_at" ${what}: ${JSON.stringify(text)}. Write a time to come, for example 2030-01-31T12:00:00Z.`
  throw new MillraceError('invalid_request', message, {
    errors: [{ code: ms === undefined ? 'invalid_shape' : 'past_time', path: '/expires_at', message }]
  })
}

function presentKey(key: StoredKey, keys: KeyRing) {
  return {
    id: key.id,
    name: key.name,
    hint: `${key.hint}…`,
    rights: key.rights,
    flow_id: key.flowId,
    context: key.context,
    created_at: timeText(key.createdAt),
    expires_at: timeText(key.expiresAt),
    last_used_at: timeText(key.lastUsedAt),
    set_by: keys.isConfigured(key.id) ? CONFIGURED_BY : null
  }
}
