import { CONNECTION_NAME } from '../../connections/connection-name.ts'
import { CONTEXT_PATH, FlowDocument } from '../../flows/document/flow-document.ts'
import { numbered } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { ContextHoldings } from '../contexts/context-bodies.ts'
import { FlowDocumentSent } from '../flows/sent-document.ts'
import { Fault } from '../schemas.ts'

/** So many are looked through in some seconds; a service with more is pushed in parts, by contexts. */
const MOST_FLOWS = 5_000

const Path = Type.String({ pattern: CONTEXT_PATH })

const ContextSent = Type.Object({ path: Path, ...ContextHoldings }, { additionalProperties: false })

const ConnectionSent = Type.Object(
  {
    name: Type.String({ pattern: CONNECTION_NAME }),
    kind: Type.String(),
    context: Type.Optional({ ...Path, default: '/' }),
    settings: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
  },
  { additionalProperties: false }
)

const around = {
  context: Type.Optional({
    ...Path,
    default: '/',
    description: 'What is pushed to: flows that live neither in it nor below it are not touched'
  }),
  prefix: Type.Optional(
    Type.String({ maxLength: 60, description: 'Only flows whose slugs begin with it are deleted' })
  ),
  contexts: Type.Optional(
    Type.Array(ContextSent, { maxItems: 1_000, description: 'Those that are not there are made' })
  ),
  connections: Type.Optional(
    Type.Array(ConnectionSent, {
      maxItems: 1_000,
      description: 'Without secrets: one that needs some is not made, and told of as missing'
    })
  ),
  delete: Type.Optional(
    Type.Boolean({
      description:
        'Deletes the flows of the context and prefix that are not sent; else they are left alone. Below the context, only in contexts that something is sent for'
    })
  ),
  settings: Type.Optional(
    Type.Boolean({
      description:
        'Changes contexts and connections that are there to what is sent; false leaves them, and tells where they differ. True where it is left out'
    })
  ),
  plan: Type.Optional(
    Type.String({
      description: 'The plan that was looked at: where anything has changed since, nothing is done (409)'
    })
  )
}

/** What is asked of a body; flows are judged by the library. */
export const PushBody = Type.Object(
  { flows: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: MOST_FLOWS }), ...around },
  { additionalProperties: false }
)

const FlowPushed = Type.Object(
  { ...FlowDocumentSent.properties, slug: FlowDocument.properties.slug },
  { additionalProperties: false, description: 'A flow document. The slug says which flow it is' }
)

export const PushTold = Type.Object(
  { flows: Type.Array(FlowPushed, { maxItems: MOST_FLOWS }), ...around },
  { additionalProperties: false }
)

const Changes = Type.Array(Type.String(), { description: 'Names of what differs' })

const SETTINGS_ACTIONS = ['create', 'change', 'unchanged', 'differs', 'missing'] as const

const SettingsAction = Type.Enum(SETTINGS_ACTIONS, {
  description:
    '`differs`: it is not as it was sent, and is left as it is. `missing`: it cannot be made without its secrets'
})

export const PushAnswer = Type.Object({
  done: Type.Boolean({ description: 'False for a dry run' }),
  valid: Type.Boolean(),
  plan: Type.String({ description: 'Names this plan: the same one later has the same' }),
  flows: Type.Array(
    Type.Object({
      slug: Type.String(),
      context: Type.String(),
      action: Type.Enum(['create', 'change', 'unchanged', 'delete']),
      id: Nullable(Type.String({ description: 'Null while there is none' })),
      version: Nullable(
        numbered({ description: 'The live one; in a dry run, the one that would be replaced' })
      ),
      changes: Nullable(Type.String({ description: 'In a few words' })),
      edited: Nullable(
        Type.Object(
          { author: Nullable(Type.String()), updated_at: Time },
          { description: 'Its draft, which stays and is behind then' }
        )
      ),
      warnings: Type.Array(Fault)
    })
  ),
  contexts: Type.Array(Type.Object({ path: Type.String(), action: SettingsAction, changes: Changes })),
  connections: Type.Array(
    Type.Object({
      name: Type.String(),
      context: Type.String(),
      kind: Type.String(),
      action: SettingsAction,
      changes: Changes
    })
  ),
  missing: Type.Array(
    Type.Object({
      name: Type.String(),
      context: Type.String({ description: 'Where flows name it: it is looked up from there upwards' }),
      kinds: Type.Array(Type.String()),
      flows: Type.Array(Type.String())
    }),
    { description: 'Connections that flows name and that are not there. They may be made later' }
  ),
  left: Type.Array(Type.Object({ context: Type.String(), flows: Type.Array(Type.String()) }), {
    description: 'Slugs of flows that `delete` leaves alone, since nothing was sent for their context'
  }),
  errors: Type.Array(Fault, {
    description: 'What keeps it from being done; the paths lead into what was sent'
  })
})

export const PullAnswer = Type.Object({
  flows: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description: 'Flow documents, without what is secret in them'
  }),
  connections: Nullable(
    Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.String(),
        context: Type.String(),
        settings: Type.Record(Type.String(), Type.Unknown())
      }),
      { description: 'Null for a key that does not administer the context' }
    )
  ),
  contexts: Type.Array(
    Type.Object({
      path: Type.String(),
      variables: Type.Record(Type.String(), Type.Unknown()),
      default_auth: Nullable(Type.String()),
      limits: Type.Record(Type.String(), Type.Unknown())
    }),
    { description: 'Those that were made at run time' }
  )
})
