import type { Budget, ModelPrice, SpendingStore, Spent } from '../spending.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

interface BudgetRow {
  readonly context: string
  readonly per_month: number | null
  readonly per_run: number | null
}

/** Whole numbers are the same in both databases. */
const MILLIONTHS = 1_000_000
const stored = (amount: number) => Math.round(amount * MILLIONTHS)
const storedOrNone = (amount: number | null) => (amount === null ? null : stored(amount))

type SpentRow = Omit<Spent, 'flowId'> & { readonly flow_id: string }

const priceText = 'INSERT INTO model_prices (model, input, cached, output) VALUES (?, ?, ?, ?)'
const budgetText = `
  INSERT INTO budgets (context, per_month, per_run) VALUES (?, ?, ?)
  ON CONFLICT (context) DO UPDATE SET per_month = excluded.per_month, per_run = excluded.per_run`
const COUNTED = ['calls', 'input', 'cached', 'output', 'cost', 'unpriced'] as const
const addText = `
  INSERT INTO spending (day, context, flow_id, model, ${COUNTED.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (day, context, flow_id, model) DO UPDATE SET
    ${COUNTED.map((column) => `${column} = spending.${column} + excluded.${column}`).join(', ')}`
const addRunText = `
  INSERT INTO run_costs (run_seq, cost) VALUES (?, ?)
  ON CONFLICT (run_seq) DO UPDATE SET cost = run_costs.cost + excluded.cost`
/** One that went through although its answer was lost changes nothing. */
const writeText = `
  INSERT INTO spending_writers (writer, last_no, at) VALUES (?, ?, ?)
  ON CONFLICT (writer) DO UPDATE SET last_no = excluded.last_no, at = excluded.at
    WHERE spending_writers.last_no < excluded.last_no
  RETURNING writer`
/** Whoever has written nothing for so long has no write under way. */
const WRITER_KNOWN_FOR_MS = 30 * 86_400_000
const spentText = `
  SELECT day, context, flow_id, model, ${COUNTED.join(', ')} FROM spending
  WHERE (day, context, flow_id, model) > (?, ?, ?, ?) AND day <= ?
  ORDER BY day, context, flow_id, model LIMIT ?`
// The cast: a sum of PostgreSQL is of another type.
const betweenText = `
  SELECT context, CAST(sum(cost) AS bigint) AS cost FROM spending WHERE day >= ? AND day <= ? GROUP BY context`
const topmostText = `
  WITH RECURSIVE above (seq, height) AS (
    SELECT c.parent_seq, 1 FROM children c WHERE c.seq = ?
    UNION ALL
    SELECT c.parent_seq, a.height + 1 FROM above a JOIN children c ON c.seq = a.seq
  )
  SELECT seq FROM above ORDER BY height DESC LIMIT 1`

/** No process holds it in memory for long: what is spent is spent by all of them. */
export function createSpendingStore(db: LibraryDatabase): SpendingStore {
  return {
    prices: () => db.read(prices),
    setPrices: (wanted) =>
      db.writeUnheld(function* () {
        yield* rows('DELETE FROM model_prices')
        for (const { model, input, cached, output } of wanted)
          yield* rows(priceText, model, stored(input), stored(cached), stored(output))
      }),
    budgets: () => db.read(budgets),
    setBudget: ({ context, perMonth, perRun }) =>
      db.writeUnheld(function* () {
        if (perMonth === null && perRun === null)
          yield* rows('DELETE FROM budgets WHERE context = ?', context)
        else yield* rows(budgetText, context, storedOrNone(perMonth), storedOrNone(perRun))
      }),
    add: ({ writer, no, at, spent, runs }) =>
      db.writeUnheld(function* () {
        if (!(yield* anyRow(writeText, writer, no, at))) return
        if (no === 1) yield* rows('DELETE FROM spending_writers WHERE at < ?', at - WRITER_KNOWN_FOR_MS)
        // In one order: processes that add at the same time do not wait for each other in a circle.
        for (const { day, context, flowId, model, ...counts } of spent.toSorted(byKey))
          yield* rows(addText, day, context, flowId, model, ...COUNTED.map((column) => counts[column]))
        for (const { runSeq, cost } of runs.toSorted((one, other) => one.runSeq - other.runSeq))
          yield* rows(addRunText, runSeq, cost)
      }),
    spent: async ({ fromDay, untilDay, after, limit }) => {
      // Every context begins with a slash, so this comes before all of the day.
      const { day, context, flowId, model } = after ?? { day: fromDay, context: '', flowId: '', model: '' }
      const values = [day, context, flowId, model, untilDay, limit]
      const found = await db.read(() => rows<SpentRow>(spentText, ...values))
      return found.map(({ flow_id, ...rest }) => ({ ...rest, flowId: flow_id }))
    },
    spentBetween: async ({ fromDay, untilDay }) =>
      (await db.read(() => rows<{ context: string; cost: number }>(betweenText, fromDay, untilDay))).map(
        (row) => ({ ...row })
      ),
    topmost: async (runSeq) =>
      (await db.read(() => firstRow<{ seq: number }>(topmostText, runSeq)))?.seq ?? runSeq,
    runCost: async (runSeq) =>
      (
        await db.read(() =>
          firstRow<{ cost: number }>('SELECT cost FROM run_costs WHERE run_seq = ?', runSeq)
        )
      )?.cost ?? 0
  }
}

function byKey(one: Spent, other: Spent): number {
  return keyOf(one) < keyOf(other) ? -1 : 1
}

function keyOf({ day, context, flowId, model }: Spent): string {
  return JSON.stringify([day, context, flowId, model])
}

function* prices(): LibrarySteps<ModelPrice[]> {
  const found = yield* rows<ModelPrice>(
    'SELECT model, input, cached, output FROM model_prices ORDER BY model'
  )
  return found.map(({ model, input, cached, output }) => ({
    model,
    input: input / MILLIONTHS,
    cached: cached / MILLIONTHS,
    output: output / MILLIONTHS
  }))
}

function* budgets(): LibrarySteps<Budget[]> {
  const found = yield* rows<BudgetRow>('SELECT context, per_month, per_run FROM budgets ORDER BY context')
  return found.map(({ context, per_month, per_run }) => ({
    context,
    perMonth: per_month === null ? null : per_month / MILLIONTHS,
    perRun: per_run === null ? null : per_run / MILLIONTHS
  }))
}
