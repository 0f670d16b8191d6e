import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { amount, count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { Usage } from '../../runs/present/run-shape.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { presentUsage } from '../../runs/record/run-usage.ts'
import type { ModelUsage } from '../../store/model-usage.ts'
import type { StatsQuestion } from '../../store/stats.ts'
import type { RunStore } from '../../store/store.ts'
import { sentTime } from '../schemas.ts'
import { badQuery, flowIdsOf, timeOf } from './run-query.ts'

interface RunStatsDeps {
  readonly library: FlowLibrary
  readonly runStore: Pick<RunStore, 'stats'>
  readonly now: () => number
}

const DAY_MS = 86_400_000
const DEFAULT_BUCKETS = 48

const Query = Type.Object(
  {
    flow_id: Type.Optional(Type.String({ description: 'Id or slug of a flow' })),
    since: Type.Optional(sentTime('Where the first bucket begins; a day before until')),
    until: Type.Optional(sentTime('Where the last bucket ends; now')),
    buckets: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: `How many (${DEFAULT_BUCKETS})` })
    )
  },
  { additionalProperties: false }
)

const Time = Type.String({ format: 'date-time' })
const Count = count()
const Duration = Type.Union([amount(), Type.Null()])

const Bucket = Type.Object({
  from: Time,
  to: Time,
  succeeded: Count,
  failed: Count,
  cancelled: Count,
  open: Count,
  p50_ms: Duration,
  p99_ms: Duration,
  usage: Nullable(
    Type.Intersect([
      Usage,
      Type.Object({ models: Type.Array(Type.Intersect([Type.Object({ model: Type.String() }), Usage])) })
    ])
  )
})

/** What came of runs over time, and how long they took. */
export function runStatsRoute(app: FastifyInstance, { library, runStore, now }: RunStatsDeps): void {
  app.get<{ Querystring: Static<typeof Query> }>(
    '/api/v1/runs/stats',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Runs'],
        operationId: 'readRunStats',
        summary: 'Runs over time by state, how long they took, and what they used of language models',
        description:
          'A run counts in the bucket in which it was accepted. Buckets are equally long, in whole milliseconds, so the last may end a little later than asked. Durations are of ended runs, from start to end, and to about 5 %. Tokens are those of the runs of the bucket that have ended; null where none asked a model. Of all buckets together the 100 models that used most are told apart, the others as `other`. For tokens per day, ask for buckets of a day.',
        querystring: Query,
        response: { 200: Type.Object({ buckets: Type.Array(Bucket) }) }
      }
    },
    async (request) => {
      const flowIds = flowIdsOf(request, request.query.flow_id, library)
      const question = { ...spansOf(request.query, now()), ...(flowIds === undefined ? {} : { flowIds }) }
      return { buckets: present(question, await runStore.stats(question)) }
    }
  )
}

function spansOf(query: Static<typeof Query>, now: number): Omit<StatsQuestion, 'flowIds'> {
  // The last millisecond is not counted, and runs may have been accepted in this one.
  const until = timeOf(query.until, 'until') ?? now + 1
  const from = timeOf(query.since, 'since') ?? until - DAY_MS
  if (from >= until) {
    throw badQuery(
      'since',
      `"since" is ${timeText(from)}, which is not before "until", ${timeText(until)}.`,
      'empty_span'
    )
  }
  const spans = query.buckets ?? DEFAULT_BUCKETS
  return { from, spans, width: Math.ceil((until - from) / spans) }
}

function present({ from, width }: StatsQuestion, stats: Awaited<ReturnType<RunStore['stats']>>) {
  return stats.map(({ p50, p99, usage, ...counts }, index) => ({
    from: timeText(from + index * width),
    to: timeText(from + (index + 1) * width),
    ...counts,
    p50_ms: p50,
    p99_ms: p99,
    usage: usage.length === 0 ? null : { ...presentUsage(usage), models: usage.map(presentModel) }
  }))
}

function presentModel(usage: ModelUsage) {
  return { model: usage.model, ...presentUsage([usage]) }
}
