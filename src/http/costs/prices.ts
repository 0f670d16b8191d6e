import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { seesAll } from '../../keys/rights.ts'
import { SHIPPED_CURRENCY, SHIPPED_ON, SHIPPED_PRICES } from '../../runs/costs/model-prices.ts'
import type { Spending } from '../../runs/costs/spending.ts'
import type { ModelPrice } from '../../store/spending.ts'
import type { Store } from '../../store/store.ts'
import { actorOf } from '../access/access.ts'
import { PRICES_BODY } from '../requests/body-limits.ts'

interface PriceDeps {
  readonly store: Pick<Store, 'spending'>
  readonly spending: Pick<Spending, 'changed'>
}

const tags = ['Costs']
const Amount = Type.Number({ minimum: 0, maximum: 1_000_000 })
const Price = {
  model: Type.String({ minLength: 1, maxLength: 300, description: 'As nodes and providers name it' }),
  input: Amount,
  cached: Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    description: 'Of input from the cache of the provider'
  }),
  output: Amount
}
const SetPrice = Type.Object(Price, { additionalProperties: false })
const SetPrices = Type.Object(
  { prices: Type.Array(SetPrice, { maxItems: 1_000 }) },
  { additionalProperties: false }
)
const PricesBody = Type.Object({
  currency: Type.String({ description: 'Of the prices that are shipped' }),
  shipped_on: Type.String({ format: 'date', description: 'As of this day' }),
  prices: Type.Array(
    Type.Object({
      ...Price,
      is_set: Type.Boolean({ description: 'Somebody has set it; else it is shipped' })
    })
  )
})

/** What a million tokens cost, by model. */
export function priceRoutes(app: FastifyInstance, { store, spending }: PriceDeps): void {
  app.get(
    '/api/v1/prices',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listPrices',
        summary: 'What models cost',
        description:
          'For a million tokens. A name holds for the versions of the model too: gpt-5 for gpt-5-2025-08-07.',
        response: { 200: PricesBody }
      }
    },
    async () => present(await store.spending.prices())
  )
  app.put<{ Body: Static<typeof SetPrices> }>(
    '/api/v1/prices',
    {
      config: { access: 'admin' },
      bodyLimit: PRICES_BODY,
      schema: {
        tags,
        operationId: 'setPrices',
        summary: 'Set what models cost',
        description:
          'In the place of all that were set before; models that are left out have the prices that are shipped, if there are any. What was spent stays as it was counted. Only for keys that are not bound to a flow or a context.',
        body: SetPrices,
        response: { 200: PricesBody }
      }
    },
    async (request) => {
      const actor = actorOf(request)
      if (!seesAll(actor))
        throw new MillraceError(
          'forbidden',
          `The key "${actor.name}" is bound, and prices hold for all contexts.`
        )
      const { prices } = request.body
      assertOnce(prices)
      await store.spending.setPrices(prices)
      spending.changed()
      return present(await store.spending.prices())
    }
  )
}

function assertOnce(prices: readonly ModelPrice[]): void {
  const names = new Set<string>()
  for (const [index, { model }] of prices.entries()) {
    if (names.has(model)) throw twice(model, index)
    names.add(model)
  }
}

function twice(model: string, index: number): MillraceError {
  const message = `The model "${model}" has two prices. Leave one of them out.`
  const fault = { code: 'name_taken', path: `/prices/${index}/model`, message }
  return new MillraceError('invalid_request', message, { errors: [fault] })
}

function present(set: readonly ModelPrice[]): Static<typeof PricesBody> {
  const names = new Set(set.map(({ model }) => model))
  const shipped = SHIPPED_PRICES.filter(({ model }) => !names.has(model))
  const all = [
    ...set.map((price) => ({ ...price, is_set: true })),
    ...shipped.map((price) => ({ ...price, is_set: false }))
  ]
  const prices = all.sort((one, other) => (one.model < other.model ? -1 : 1))
  return { currency: SHIPPED_CURRENCY, shipped_on: SHIPPED_ON, prices }
}
