import { aggregate } from '../../src/components/data/aggregate.ts'
import { filter } from '../../src/components/data/filter.ts'
import { sort } from '../../src/components/data/sort.ts'
import { type AnyComponent, resolveFields } from '../../src/flows/component/component.ts'
import type { JsonValue } from '../../src/flows/json/exact-json.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const ROWS = 10_000

/** So many times each in a round. */
const TIMES = 30

interface Order {
  readonly id: number
  readonly total: number
  readonly country: string
  readonly customer: string
}

interface Contest {
  readonly target: Target
  readonly component: AnyComponent
  readonly fields: Readonly<Record<string, JsonValue>>
  /** The same as somebody would write it by hand. */
  readonly plain: (orders: readonly Order[]) => unknown
}

function targetOf(name: string): Target {
  return {
    name: `${name} over ${ROWS.toLocaleString('en')} rows ÷ the same in plain JavaScript`,
    unit: '',
    must: { atLeast: 0.3 }
  }
}

const CONTESTS: readonly Contest[] = [
  {
    target: targetOf('Filter'),
    component: filter,
    fields: { expression: 'data.total > 50 && data.country == "DE"' },
    plain: (orders) => orders.filter(({ total, country }) => total > 50 && country === 'DE')
  },
  {
    target: targetOf('Sort'),
    component: sort,
    fields: { keys: ['country', { field: 'total', direction: 'descending' }] },
    plain: (orders) =>
      orders.toSorted(
        (one, other) =>
          (one.country < other.country ? -1 : one.country > other.country ? 1 : 0) || other.total - one.total
      )
  },
  {
    target: targetOf('Aggregate'),
    component: aggregate,
    fields: {
      group_by: ['customer'],
      aggregates: [{ operation: 'count' }, { operation: 'sum', field: 'total' }]
    },
    plain: totals
  }
]

function totals(orders: readonly Order[]): unknown {
  const groups = new Map<string, { customer: string; count: number; sum_total: number }>()
  for (const { customer, total } of orders) {
    const group = groups.get(customer)
    if (group === undefined) groups.set(customer, { customer, count: 1, sum_total: total })
    else {
      group.count++
      group.sum_total += total
    }
  }
  return [...groups.values()]
}

/** Steps as they are run, with what is prepared once for each version of a flow, against a loop written by hand. */
export const dataGroup: FigureGroup = {
  key: 'data',
  about: 'Filter, Sort and Aggregate over 10,000 rows, against the same in plain JavaScript',
  targets: CONTESTS.map(({ target }) => target),
  async measure({ options, say }: Bench): Promise<Figure[]> {
    const orders = makeOrders()
    return CONTESTS.map((contest) => {
      const run = stepOf(contest, orders)
      const plain = () => contest.plain(orders)
      // Both are compiled before it counts.
      play(run, plain)
      const rounds = Array.from({ length: options.rounds }, () => play(run, plain))
      const measured = median(rounds.map(({ own, bare }) => bare / own))
      const [own, bare] = [
        median(rounds.map((round) => round.own)),
        median(rounds.map((round) => round.bare))
      ]
      say(`data: ${contest.component.type} ${own.toFixed(2)} ms, by hand ${bare.toFixed(2)} ms`)
      const detail = `${bare.toFixed(2)} ÷ ${own.toFixed(2)} ms, the median of ${TIMES}`
      return { ...contest.target, measured, detail }
    })
  }
}

/** Out of JSON, as they come to a step. */
function makeOrders(): Order[] {
  const orders = Array.from({ length: ROWS }, (_, id) => ({
    id,
    total: ((id * 7919) % 10_000) / 100,
    country: ['DE', 'AT', 'FR'][id % 3]!,
    customer: `customer-${(id * 31) % 1000}`
  }))
  return JSON.parse(JSON.stringify(orders))
}

function stepOf({ component, fields }: Contest, data: readonly Order[]): () => unknown {
  const values = resolveFields(component, fields)
  const prepared = component.prepare?.(values)
  const step = { inputs: { data }, fields: values, prepared, pause: () => undefined }
  return () => component.run(step as never)
}

/** In turns, so that what else goes on disturbs both alike. */
function play(run: () => unknown, plain: () => unknown): { readonly own: number; readonly bare: number } {
  const [own, bare]: [number[], number[]] = [[], []]
  for (let time = 0; time < TIMES; time++) {
    own.push(timed(run))
    bare.push(timed(plain))
  }
  return { own: median(own), bare: median(bare) }
}

function timed(work: () => unknown): number {
  const since = performance.now()
  work()
  return performance.now() - since
}
