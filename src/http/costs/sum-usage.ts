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

/** What was spent, by day, model, flow and context. */
export class UsageSums {
  readonly #total = none()
  readonly #days = new Map<string, { total: Totals; models: ByName }>()
  readonly #models: ByName = new Map()
  readonly #flows: ByName = new Map()
  readonly #contexts: ByName = new Map()

  add(each: Spent): void {
    const day = this.#days.get(each.day) ?? { total: none(), models: new Map() }
    this.#days.set(each.day, day)
    const sums = [this.#total, day.total, of(day.models, each.model), of(this.#models, each.model)]
    for (const sum of [...sums, of(this.#flows, each.flowId), of(this.#contexts, each.context)])
      add(sum, each)
  }

  /** Days in their order, all else with the dearest first. */
  *told() {
    const days = []
    for (const [day, sums] of [...this.#days].sort(([one], [other]) => (one < other ? -1 : 1))) {
      yield
      const byModel = yield* dearestFirst(sums.models, (model) => ({ model }))
      days.push({ day, ...inCurrency(sums.total), models: byModel })
    }
    return {
      total: inCurrency(this.#total),
      days,
      models: yield* dearestFirst(this.#models, (model) => ({ model })),
      flows: yield* dearestFirst(this.#flows, (id) => ({ id })),
      contexts: yield* dearestFirst(this.#contexts, (context) => ({ context }))
    }
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
