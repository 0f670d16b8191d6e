import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Connection } from '../../connections/connection.ts'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import type { ConnectionDocuments } from '../../connections/documents/connection-documents.ts'
import type { ConnectionKind } from '../../connections/kinds/connection-kind.ts'
import { CONNECTION_KINDS } from '../../connections/kinds/kinds.ts'
import { Preset } from '../../connections/presets/preset.ts'
import { type SeenConnection, seenFrom } from '../../connections/seen-connections.ts'
import { amount } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type AskedContextDeps, askedContext, ContextQuery } from '../contexts/asked-context.ts'
import { type RedirectUriDeps, redirectUriOf } from './redirect-uri.ts'

const tags = ['Connections']

const When = Type.Record(Type.String(), Type.Array(Type.Unknown()), {
  description: 'Settings, and the values that they have to have; an empty list stands for any value'
})

const Kind = Type.Object({
  kind: Type.String(),
  title: Type.String(),
  description: Type.String(),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'A JSON Schema. A setting with `shown_when` matters only there; `value_titles` says what its values are called'
  }),
  secrets: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      shown_when: Nullable(When),
      needed_when: Nullable(When)
    })
  )
})

const Place = { kind: Type.String(), context: Type.String({ description: 'Where it lives' }) }

const Seen = Type.Object({
  id: Type.String(),
  name: Type.String(),
  ...Place,
  inherited_from: Nullable(Type.String({ description: 'The context above that it comes from' })),
  hides: Type.Array(Type.Object(Place), {
    description: 'Those of the same name further up, which it hides from this context'
  }),
  document: Nullable(
    Type.Object(
      { title: Type.String(), operations: amount() },
      { description: 'What its API offers, if it says so' }
    )
  )
})

interface ConnectionChoicesDeps extends AskedContextDeps, RedirectUriDeps {
  readonly connections: ConnectionLibrary
  readonly apiDocuments: ConnectionDocuments
}

/**
 * What somebody needs who fills in a form or chooses a connection for a node. Whoever reads flows of a context learns
 * what these can name: names, kinds and places, as components and variables are told, and never a setting or a secret.
 */
export function connectionChoiceRoutes(app: FastifyInstance, deps: ConnectionChoicesDeps): void {
  app.get(
    '/api/v1/connections/kinds',
    {
      config: { access: 'any key' },
      schema: {
        tags,
        operationId: 'listConnectionKinds',
        summary: 'The kinds of connections, and what each of them holds',
        response: {
          200: Type.Object({
            kinds: Type.Array(Kind),
            redirect_uri: Type.String({
              description: 'What the provider of an OAuth 2 sign-in by a person has to know as this client’s'
            })
          })
        }
      }
    },
    async (request) => ({
      kinds: Object.entries(CONNECTION_KINDS).map(presentKind),
      redirect_uri: redirectUriOf(request, deps)
    })
  )

  app.get(
    '/api/v1/connections/presets',
    {
      config: { access: 'any key' },
      schema: {
        tags,
        operationId: 'listConnectionPresets',
        summary: 'Services, and how each is connected to',
        description:
          'For connections of the kind http. One that is made by a preset names it in its settings (`preset`), and is tried by its request.',
        response: { 200: Type.Object({ presets: Type.Array(Preset) }) }
      }
    },
    // Loaded when somebody asks: most of it is for a form that is seldom opened.
    async () => ({ presets: (await import('../../connections/presets/presets.ts')).PRESETS })
  )

  app.get<{ Querystring: ContextQuery }>(
    '/api/v1/connections/visible',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listVisibleConnections',
        summary: 'The connections that a flow in a context can name',
        refuses: ['context_not_found'],
        description: 'Names, kinds and places only, and what a document is called.',
        querystring: ContextQuery,
        response: { 200: Type.Object({ connections: Type.Array(Seen) }) }
      }
    },
    async (request) => {
      const context = askedContext(request, deps)
      const seen = seenFrom(context, deps.connections.list())
      return { connections: seen.map((one) => presentSeen(one, context, deps.apiDocuments)) }
    }
  )
}

function presentKind([kind, facts]: [string, ConnectionKind]): Static<typeof Kind> {
  const { title, description, settings, secrets } = facts
  return {
    kind,
    title,
    description,
    settings: { ...settings },
    secrets: Object.entries(secrets).map(([name, { title, shownWhen, neededWhen }]) => ({
      name,
      title,
      shown_when: writtenWhen(shownWhen),
      needed_when: writtenWhen(neededWhen)
    }))
  }
}

function writtenWhen(when: Readonly<Record<string, readonly unknown[]>> | undefined) {
  if (when === undefined) return null
  return Object.fromEntries(Object.entries(when).map(([name, values]) => [name, [...values]]))
}

function presentSeen(
  { connection, hides }: SeenConnection<Connection>,
  context: string,
  documents: ConnectionDocuments
): Static<typeof Seen> {
  const document = documents.of(connection)
  return {
    id: connection.id,
    name: connection.name,
    kind: connection.kind,
    context: connection.context,
    inherited_from: connection.context === context ? null : connection.context,
    hides: hides.map(({ kind, context }) => ({ kind, context })),
    document: document === undefined ? null : { title: document.title, operations: document.operations }
  }
}
