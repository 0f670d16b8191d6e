/** What a model costs, in the operator's currency for a million tokens. */
export interface ModelPrice {
  readonly model: string
  readonly input: number
  /** Of input that the provider reads from its cache. */
  readonly cached: number
  readonly output: number
}

/** What may be spent, in the operator's currency; null sets no bound. */
export interface Budget {
  /** Its flows, and those of the contexts below. */
  readonly context: string
  readonly perMonth: number | null
  /** A run with all that it starts. */
  readonly perRun: number | null
}

/** What was used of a model on a day: of one flow in one context. */
export interface Spent {
  /** In UTC: `2026-11-19`. */
  readonly day: string
  readonly context: string
  /** Empty where no flow asked. */
  readonly flowId: string
  readonly model: string
  readonly calls: number
  readonly input: number
  readonly cached: number
  readonly output: number
  /** In millionths of the currency: sums of them are exact. */
  readonly cost: number
  /** Calls of a model that had no price. */
  readonly unpriced: number
}

/** In millionths. */
export interface RunCost {
  readonly runSeq: number
  readonly cost: number
}

/** What is added at once. */
export interface SpendingWrite {
  /** Who adds it, one process since its start, and the how manieth write of it this is, from 1. */
  readonly writer: string
  readonly no: number
  readonly at: number
  readonly spent: readonly Spent[]
  readonly runs: readonly RunCost[]
}

interface SpentQuestion {
  readonly fromDay: string
  /** Included. */
  readonly untilDay: string
}

/** A stretch of it, in the order of its days, contexts, flows and models: a year of many flows has hundreds of thousands. */
interface SpentPage extends SpentQuestion {
  /** From the beginning where it is undefined. */
  readonly after: SpentKey | undefined
  readonly limit: number
}

export type SpentKey = Pick<Spent, 'day' | 'context' | 'flowId' | 'model'>

/** What models cost. It does not go with the runs: a budget is of a month, however long runs are kept. */
export interface SpendingStore {
  /** Those that somebody has set. */
  prices(): Promise<ModelPrice[]>
  /** In the place of all that were set. */
  setPrices(prices: readonly ModelPrice[]): Promise<void>
  budgets(): Promise<Budget[]>
  /** In the place of the one that the context had; one without any bound goes. */
  setBudget(budget: Budget): Promise<void>
  /** Adds to what was spent before. A write whose answer was lost may come again, before the next one of its writer: it counts once. */
  add(write: SpendingWrite): Promise<void>
  spent(page: SpentPage): Promise<Spent[]>
  /** By context, in millionths. */
  spentBetween(question: SpentQuestion): Promise<{ readonly context: string; readonly cost: number }[]>
  /** The topmost of the runs that this one belongs to. */
  topmost(runSeq: number): Promise<number>
  /** Of a topmost run, with all below it, in millionths. */
  runCost(runSeq: number): Promise<number>
}
