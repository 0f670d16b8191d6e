import type { Turns } from '../../flows/in-turns.ts'
import { MILLIONTHS } from '../../runs/costs/budget-state.ts'
import type { Spent } from '../../store/spending.ts'

interface Totals {
  calls: number
  input_tokens: number
  cached_tokens: number
  output_tokens: number
  cost: number
  unpriced_calls: number
}

type ByName = Map<string, Totals>

/** What was spent, by day, model, flow and context. A year of many flows has hundreds of thousands of rows. */
export function* sumUsage(spent: readonly Spent[], isAsked: (each: Spent) => boolean) {
  const total = none()
  const days = new Map<string, { total: Totals; models: ByName }>()
  const [models, flows, contexts] = [new Map(), new Map(), new Map()] as [ByName, ByName, ByName]
  for (const each of spent) {
    yield
    if (!isAsked(each)) continue
    const day = days.get(each.day) ?? { total: none(), models: new Map() }
    days.set(each.day, day)
    const sums = [total, day.total, of(day.models, each.model), of(models, each.model)]
    for (const sum of [...sums, of(flows, each.flowId), of(contexts, each.context)]) add(sum, each)
  }
  const told = []
  for (const [day, sums] of [...days].sort(([one], [other]) => (one < other ? -1 : 1))) {
    yield
    const byModel = yield* dearestFirst(sums.models, (model) => ({ model }))
    told.push({ day, ...inCurrency(sums.total), models: byModel })
  }
  return {
    total: inCurrency(total),
    days: told,
    models: yield* dearestFirst(models, (model) => ({ model })),
    flows: yield* dearestFirst(flows, (id) => ({ id })),
    contexts: yield* dearestFirst(contexts, (context) => ({ context }))
  }
}

function none(): Totals {
  return { calls: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0, cost: 0, unpriced_calls: 0 }
}

function of(sums: ByName, name: string): Totals {
  const sum = sums.get(name) ?? none()
  sums.set(name, sum)
  return sum
}

function add(sum: Totals, { calls, input, cached, output, cost, unpriced }: Spent): void {
  sum.calls += calls
  sum.input_tokens += input
  sum.cached_tokens += cached
  sum.output_tokens += output
  sum.cost += cost
  sum.unpriced_calls += unpriced
}

/** Sums of millionths are exact. */
function inCurrency({ cost, ...sum }: Totals): Totals {
  return { ...sum, cost: cost / MILLIONTHS }
}

function* dearestFirst<Name extends object>(
  sums: ByName,
  named: (name: string) => Name
): Turns<(Name & Totals)[]> {
  const all: (Name & Totals)[] = []
  for (const [name, sum] of sums) {
    yield
    all.push({ ...named(name), ...inCurrency(sum) })
  }
  const tokens = ({ input_tokens, output_tokens }: Totals) => input_tokens + output_tokens
  return all.sort((one, other) => other.cost - one.cost || tokens(other) - tokens(one))
}
