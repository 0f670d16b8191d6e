import type { Static } from 'typebox'
import { FlowDocument } from '../flows/document/flow-document.ts'
import { count, numbered } from '../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../flows/json/common-schemas.ts'
import { Type } from '../flows/json/schema-builder.ts'
import { RunMark } from '../runs/present/run-shape.ts'
import { describedAs } from './operations/described-schema.ts'

/** Shapes of the API that more than one route uses. */

/** An answer that is all in its status. */
export const nothing = (description: string) => Type.Null({ description })

/** From a route that shows what it has changed, to a key without the right `read`. */
export const notShown = () => nothing('Done; the key may not read it')

/** For callers that ask whether something exists: its absence is not a fault, and a browser reports every 404 as one. */
export const OrNone = Type.Object({
  or_none: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'true: answers 204 instead of 404 if there is none' })
  )
})

export type OrNone = Static<typeof OrNone>

/** An answer that is not JSON. */
export const textOf = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: Type.String() } }
})

export const Fault = Type.Object({
  code: Type.String(),
  path: Type.String({ description: 'JSON pointer into what was sent' }),
  node: Type.Optional(Type.String()),
  field: Type.Optional(Type.String()),
  line: Type.Optional(count()),
  column: Type.Optional(count()),
  message: Type.String()
})

export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    code: Type.String({ description: 'Stable; branch on this one' }),
    detail: Type.String({ description: 'What is wrong and what to do' }),
    errors: Type.Optional(Type.Array(Fault, { description: 'One entry per fault' }))
  },
  { description: 'A problem document (RFC 9457)' }
)

export const StartAnswer = Type.Object({
  message: Type.Literal('Task started in the background'),
  status: Type.String({ description: 'in progress; with Prefer: wait, how the run ended, or waiting' }),
  run_id: Type.String()
})

/** As clients write one: the route reads it, and takes a day or a time without a zone too. See requests/read-time.ts. */
export const sentTime = (description: string) =>
  describedAs(Type.String({ description: `${description} (ISO 8601)` }), { format: 'date-time' })

/** In characters, as they are sent. */
export const LONGEST_PATH_TEXT = 200

/** A part of an address. None that is longer comes as far as a route. */
export const PathText = Type.String({ minLength: 1, maxLength: LONGEST_PATH_TEXT })

export const Paused = Type.Object({
  mode: Type.Enum(['hold', 'refuse']),
  since: Time,
  by: Type.String({ description: 'The name of the key' })
})

/** Not an intersection with the document: that one allows no further members. */
export const Flow = Type.Object({
  ...FlowDocument.properties,
  id: Type.String(),
  version: numbered(),
  created_at: Time,
  updated_at: Time,
  paused: Nullable(Paused),
  aliases: Type.Array(Type.String(), { description: 'Former slugs that still work' }),
  from_file: Type.Optional(
    Type.Boolean({
      description: 'It comes from a file of the folder that the service follows, and is read-only here'
    })
  ),
  warnings: Type.Optional(
    Type.Array(Fault, { description: 'What is probably a mistake, such as a node that is not wired' })
  )
})

/** A flow in a list; with its newest runs where they were asked for. */
export const ListedFlow = Type.Object({
  ...Flow.properties,
  deleted_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'Where deleted ones are listed' })
  ),
  deleted_by: Type.Optional(
    Nullable(Type.String({ description: 'The name of the key; null where it is not known' }))
  ),
  deleted_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'Then a deleted flow goes for good' })
  ),
  draft: Type.Optional(
    Nullable(
      Type.Object(
        {
          revision: numbered(),
          author: Nullable(Type.String({ description: 'The name of the key that saved it last' })),
          updated_at: Time,
          faults: count({ description: 'How many keep it from being published' })
        },
        { description: 'What is not published; where drafts were asked for' }
      )
    )
  ),
  failing_triggers: Type.Optional(
    Type.Array(Type.Object({ node: Type.String(), message: Type.String(), at: Time }), {
      description: 'Those that could not be started and are tried again; where triggers were asked for'
    })
  ),
  recent_runs: Type.Optional(Type.Array(RunMark, { description: 'Newest first' }))
})

export const FlowVersion = Type.Object({
  version: numbered(),
  created_at: Time,
  is_live: Type.Boolean(),
  name: Nullable(Type.String()),
  note: Nullable(Type.String()),
  author: Nullable(Type.String({ description: 'The name of the key that made it' })),
  changes: Nullable(
    Type.String({ description: 'What is different from the version before, in a few words' })
  ),
  origin: Nullable(
    Type.Enum(['created', 'saved', 'published', 'restored', 'undone', 'pushed', 'file'], {
      description:
        'What made it; `pushed` by a push of a folder, `file` from the folder that the service follows'
    })
  )
})

/** A key as whoever holds it, or has signed in with it, gets to see it. */
export const SessionKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  rights: Type.Array(Type.String()),
  flow_id: Nullable(Type.String()),
  context: Nullable(Type.String()),
  expires_at: Nullable(Time)
})

export const IdParams = Type.Object({ id: PathText })
