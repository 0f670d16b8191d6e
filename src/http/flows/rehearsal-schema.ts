import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'

export const DEFAULT_RUNS = 100
const MOST_RUNS = 500

export const Asked = Type.Object(
  {
    runs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_RUNS,
        default: DEFAULT_RUNS,
        description: 'On so many of the last live runs that succeeded or failed'
      })
    ),
    document: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'A flow document that is rehearsed instead of the draft. Nothing of it is kept'
      })
    )
  },
  { additionalProperties: false }
)

export const Verdict = Type.Enum(['same', 'different', 'failed', 'unknown'], {
  description:
    'failed: it fails now and did not fail so then. unknown: a step that reaches outside, or waits, would have other fields or inputs, so nobody knows what it gives'
})

const Case = Type.Object({
  run_id: Type.String(),
  verdict: Verdict,
  node: Nullable(Type.String({ description: 'Where the run begins to be another one' })),
  was: Type.Unknown({ description: 'What that node gave then; of an unknown step also what it had' }),
  is: Type.Unknown({ description: 'What it gives now; of an unknown step what it would have' }),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }))
})

export const Rehearsal = Type.Object({
  status: Type.Enum(['in progress', 'succeeded', 'cancelled'], {
    description: 'cancelled: it took longer than a minute, another one began, or the service stopped'
  }),
  runs: count({ description: 'So many have been rehearsed' }),
  same: count(),
  different: count(),
  failed: count(),
  unknown: count(),
  cases: Type.Array(Case, { description: 'Those that fail come first, those that are the same last' }),
  asked: count({ description: 'So many were asked for' }),
  revision: Nullable(count({ description: 'Of the draft; null where what is live was rehearsed' })),
  author: Nullable(Type.String({ description: 'The name of the key that asked for it' })),
  started_at: Time,
  finished_at: Nullable(Time)
})
