import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { MillraceError } from '../../errors.ts'
import { amount } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type Actor, coversContext, seesAll } from '../../keys/rights.ts'
import { MILLIONTHS, stateOf } from '../../runs/costs/budget-state.ts'
import type { Spending } from '../../runs/costs/spending.ts'
import type { Budget } from '../../store/spending.ts'
import type { Store } from '../../store/store.ts'
import { actorOf } from '../access/access.ts'
import { noContext } from '../contexts/asked-context.ts'

interface BudgetDeps {
  readonly store: Pick<Store, 'spending'>
  readonly spending: Pick<Spending, 'changed' | 'spentThisMonth'>
  readonly tree: Pick<ContextTree, 'has'>
}

const tags = ['Costs']
const Bound = Nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000 }))
const SetBudget = Type.Object(
  { context: Type.String(), per_month: Type.Optional(Bound), per_run: Type.Optional(Bound) },
  { additionalProperties: false }
)
const BudgetBody = Type.Object({
  context: Type.String(),
  per_month: Nullable(amount()),
  per_run: Nullable(amount()),
  spent: amount({ description: 'This month (UTC), in the context and below' }),
  state: Type.Enum(['ok', 'near', 'exceeded'], { description: '`near` from 80 % of the month on' })
})
const BudgetsBody = Type.Object({ budgets: Type.Array(BudgetBody) })

/** What contexts may spend on models. */
export function budgetRoutes(app: FastifyInstance, { store, spending, tree }: BudgetDeps): void {
  const listed = async (actor: Actor): Promise<Static<typeof BudgetsBody>> => {
    const seen = (await store.spending.budgets()).filter(({ context }) => coversContext(actor, context))
    const budgets = seen.map(async (budget) => present(budget, await spending.spentThisMonth(budget.context)))
    return { budgets: await Promise.all(budgets) }
  }
  app.get(
    '/api/v1/budgets',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listBudgets',
        summary: 'What contexts may spend on models, and have spent',
        response: { 200: BudgetsBody }
      }
    },
    async (request) => listed(actorOf(request))
  )
  app.put<{ Body: Static<typeof SetBudget> }>(
    '/api/v1/budgets',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        operationId: 'setBudget',
        summary: 'Set what a context may spend on models',
        refuses: ['context_not_found'],
        description:
          'Its flows and those of the contexts below, in a month (UTC), and any one run with all that it starts. null, or left out: no bound. Whoever is bound to a context sets budgets of those below it, and not its own.',
        body: SetBudget,
        response: { 200: BudgetsBody }
      }
    },
    async (request) => {
      const actor = actorOf(request)
      const { context, per_month = null, per_run = null } = request.body
      if (!coversContext(actor, context) || !tree.has(context)) throw noContext(context)
      if (!seesAll(actor) && actor.context === context)
        throw new MillraceError(
          'forbidden',
          `The key "${actor.name}" is bound to ${context}. Its budget is set with a key of a context above.`
        )
      await store.spending.setBudget({ context, perMonth: per_month, perRun: per_run })
      spending.changed()
      return listed(actor)
    }
  )
}

function present(budget: Budget, spent: number): Static<typeof BudgetBody> {
  const { context, perMonth, perRun } = budget
  const bounds = { per_month: perMonth, per_run: perRun }
  return { context, ...bounds, spent: spent / MILLIONTHS, state: stateOf(budget, spent) }
}
