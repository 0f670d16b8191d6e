import { count, numbered } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { Fault } from '../schemas.ts'

/** Nobody counts more runs than this before they publish. */
export const MOST_RUNS = 100

const Texts = Type.Array(Type.String())

export const DraftChanges = Type.Object({
  revision: numbered(),
  base_version: numbered(),
  live_version: numbered(),
  behind: Type.Boolean({ description: 'A newer version is live, and it would take the place of that one' }),
  summary: Nullable(Type.String({ description: 'What is different, in a few words; null where nothing is' })),
  nodes: Type.Array(
    Type.Object({
      kind: Type.Enum(['added', 'removed', 'changed']),
      node: Type.String(),
      type: Type.String(),
      title: Type.String(),
      fields: Type.Array(Type.String(), { description: 'Fields and members that have another value' }),
      text: Type.String({ description: 'The same in words' })
    })
  ),
  wires: Type.Object({ added: Texts, removed: Texts }),
  members: Type.Array(Type.String(), { description: 'Of the document itself, such as name and slug' }),
  notes: count({ description: 'How many notes are different' }),
  moved: count({ description: 'How many nodes and notes were only moved' }),
  callers: Type.Array(Type.Object({ code: Type.String(), message: Type.String() }), {
    description: 'What it does to callers: address, guard, payload, limits, context, chat turns'
  }),
  errors: Type.Array(Fault, { description: 'What keeps it from being published' }),
  warnings: Type.Array(Fault, { description: 'What is probably a mistake' }),
  open_runs: Type.Integer({
    minimum: 0,
    maximum: MOST_RUNS,
    description: `Runs that finish on the version that they began with; ${MOST_RUNS} are ${MOST_RUNS} or more`
  })
})
