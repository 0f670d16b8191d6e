import type { Static } from 'typebox'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { RUN_STATUSES } from '../../runs/present/run-status.ts'
import { sentTime } from '../schemas.ts'
import { MOST_WHOLE_RUNS } from './whole-runs.ts'

/** What is asked of the list of runs. */
export const Query = Type.Object(
  {
    flow_id: Type.Optional(Type.String({ description: 'Id or slug of a flow' })),
    status: Type.Optional(Type.Enum(RUN_STATUSES)),
    q: Type.Optional(
      Type.String({
        description:
          'Text in the input or the error, or the beginning of a run id. A long search ends early: where next_cursor is not null, go on with it, however few runs were found'
      })
    ),
    since: Type.Optional(sentTime('Accepted at or after this time')),
    until: Type.Optional(sentTime('Accepted before this time')),
    test: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: 'Only tests of drafts, or none; both where it is left out'
      })
    ),
    parent: Type.Optional(
      Type.String({
        description:
          'Id of a run: those that it started. Without it, the list has only runs that no other one started'
      })
    ),
    node: Type.Optional(
      Type.String({ description: 'With parent: only those that this node of it started, such as a For each' })
    ),
    from_index: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'With node: from this item on, counted from 0'
      })
    ),
    below_index: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'With node: before this item' })
    ),
    counts: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: 'With node: also how many it has started in all, whatever else is asked for'
      })
    ),
    steps: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: `Each run as a whole, with input, steps and outputs; at most ${MOST_WHOLE_RUNS} in an answer, and fewer where they are large: where next_cursor is not null, go on with it`
      })
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    cursor: Type.Optional(Type.String({ description: 'The next_cursor of an earlier answer' }))
  },
  { additionalProperties: false }
)

export type Query = Static<typeof Query>

export const ChildCounts = Type.Object(
  {
    succeeded: count(),
    failed: count(),
    cancelled: count(),
    open: count({ description: 'Those that have not ended, or not begun' })
  },
  { description: 'Of all that the node has started; where counts were asked for' }
)
