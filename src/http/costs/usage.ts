import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { amount, count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type Actor, coversContext } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { Spending } from '../../runs/costs/spending.ts'
import type { Spent, SpentKey } from '../../store/spending.ts'
import type { Store } from '../../store/store.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { badQuery } from '../runs/run-query.ts'
import { UsageSums } from './sum-usage.ts'

interface UsageDeps {
  readonly store: Pick<Store, 'spending'>
  readonly spending: Pick<Spending, 'save'>
  readonly library: FlowLibrary
  readonly now: () => number
}

const Day = Type.String({ format: 'date' })
const Query = Type.Object(
  {
    since: Type.Optional(
      Type.String({ format: 'date', description: 'The first day (UTC); 29 days before until' })
    ),
    until: Type.Optional(Type.String({ format: 'date', description: 'The last day; today' })),
    flow_id: Type.Optional(Type.String({ description: 'Id or slug of a flow' }))
  },
  { additionalProperties: false }
)

const TOTALS = {
  calls: count(),
  input_tokens: count(),
  cached_tokens: count(),
  output_tokens: count(),
  cost: amount({ description: 'In the currency of the prices' }),
  unpriced_calls: count({ description: 'Of models without a price, which cost says nothing of' })
}
const Totals = Type.Object(TOTALS)
const Answer = Type.Object({
  since: Day,
  until: Day,
  total: Totals,
  days: Type.Array(
    Type.Object({
      day: Day,
      ...TOTALS,
      models: Type.Array(Type.Object({ model: Type.String(), ...TOTALS }))
    })
  ),
  models: Type.Array(Type.Object({ model: Type.String(), ...TOTALS })),
  flows: Type.Array(
    Type.Object({
      flow_id: Nullable(Type.String({ description: 'null: no flow asked' })),
      name: Nullable(Type.String({ description: 'null where it is deleted' })),
      ...TOTALS
    })
  ),
  contexts: Type.Array(Type.Object({ context: Type.String(), ...TOTALS }))
})

const DAY_MS = 86_400_000
const MOST_DAYS = 366
const USUAL_DAYS = 30

/** What models were used for: by day, by model, by flow and by context. It stays when runs are deleted. */
export function usageRoute(app: FastifyInstance, { store, spending, library, now }: UsageDeps): void {
  app.get<{ Querystring: Static<typeof Query> }>(
    '/api/v1/usage',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Costs'],
        operationId: 'readUsage',
        summary: 'Tokens and costs of models by day, model, flow and context',
        refuses: ['flow_not_found'],
        description:
          'Days are those of UTC. A call counts on the day on which it ended, also where its run failed or was a test.',
        querystring: Query,
        response: { 200: Answer }
      }
    },
    async (request) => {
      const { flow_id } = request.query
      const flow = flow_id === undefined ? undefined : visibleFlow(request, library, flow_id)
      const { since, until } = daysOf(request.query, now())
      await spending.save()
      const actor = actorOf(request)
      const found = new UsageSums()
      for await (const each of spentIn(store, since, until))
        if (isSeen(each, actor) && (flow === undefined || each.flowId === flow.id)) found.add(each)
      const { flows, ...sums } = await library.inTurns(found.told())
      return {
        ...{ since, until },
        ...sums,
        flows: flows.map(({ id, ...sum }) => {
          const name = library.find(id)?.document.name ?? null
          return { flow_id: id === '' ? null : id, name, ...sum }
        })
      }
    }
  )
}

/** Rows that are read at once, which takes some milliseconds; others have their turn in between. */
const PAGE = 1_000

async function* spentIn({ spending }: UsageDeps['store'], fromDay: string, untilDay: string) {
  for (let after: SpentKey | undefined; ; ) {
    const page = await spending.spent({ fromDay, untilDay, after, limit: PAGE })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)!
    await turnOfTheLoop()
  }
}

function isSeen({ flowId, context }: Spent, actor: Actor): boolean {
  return actor.flowId === null ? coversContext(actor, context) : actor.flowId === flowId
}

function daysOf({ since, until }: Static<typeof Query>, now: number): { since: string; until: string } {
  const last = until ?? dayOf(now)
  const first = since ?? dayOf(Date.parse(last) - (USUAL_DAYS - 1) * DAY_MS)
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  if (days >= 1 && days <= MOST_DAYS) return { since: first, until: last }
  throw badQuery(
    'since',
    `From "since", ${first}, to "until", ${last}, are not 1 to ${MOST_DAYS} days.`,
    'empty_span'
  )
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
