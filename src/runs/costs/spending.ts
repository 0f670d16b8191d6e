import type { Clock } from '../../clock.ts'
import type { CallToPay, PaidCall, UsedTokens } from '../../flows/step/step-costs.ts'
import type { Budget, ModelPrice, RunCost, SpendingStore, Spent } from '../../store/spending.ts'
import { inWords, overBudget, overRun, overTask, withoutPrice } from './budget-refusals.ts'
import { budgetsAt, daysOf, MILLIONTHS, spentIn, stateOf } from './budget-state.ts'
import { costOf, priceOf, wholeTokens } from './model-prices.ts'
import { Unsaved } from './unsaved.ts'

interface SpendingDeps {
  readonly store: SpendingStore
  readonly clock: Pick<Clock, 'now' | 'startTimer' | 'newId'>
  /** Told once a month of each budget. */
  readonly onNear: (context: string, words: string) => void
  readonly onError: (error: unknown, doing: string) => void
}

/** Who asks a model. */
interface Payer {
  readonly context: string
  /** Empty where no flow does. */
  readonly flowId: string
  /** Undefined where no run does. */
  readonly runSeq: number | undefined
  /** Of what is no run and bounded like one: what it has spent, in the operator's currency. */
  readonly spentSoFar?: number
}

/** What is known of the store's, for so long: other processes spend, too. */
const KNOWN_FOR_MS = 2_000
/** What was spent is written so much later, together: calls of models come in crowds. */
const SAVE_AFTER_MS = 500
/** Less than the former: while calls come that often, it is never written by itself. */
const JOINED_EVERY_MS = 250
/** Put aside for the answer of a call that nothing bounds, in tokens. */
const USUAL_OUTPUT = 4_096

interface Known {
  readonly at: number
  readonly month: string
  readonly prices: readonly ModelPrice[]
  readonly budgets: readonly Budget[]
  readonly spent: readonly { readonly context: string; readonly cost: number }[]
}

/** What models cost, and whether there is still so much to spend. */
export class Spending {
  readonly #deps: SpendingDeps
  readonly #unsaved: Unsaved
  readonly #writer: string
  #known: Promise<Known> | undefined
  /** The same, once it is read. */
  #lastKnown: Known | undefined
  #knownAt = Number.NEGATIVE_INFINITY
  /** What calls that are under way may cost, by context and by topmost run, in millionths. */
  readonly #aside = new Set<{
    readonly context: string
    readonly top: number | undefined
    readonly cost: number
  }>()
  readonly #warned = new Set<string>()
  #saving: Promise<void> = Promise.resolve()
  #timer: { stop(): void } | undefined
  /** When it was last written with something else. */
  #joinedAt = Number.NEGATIVE_INFINITY

  constructor(deps: SpendingDeps) {
    this.#deps = deps
    this.#unsaved = new Unsaved()
    this.#writer = deps.clock.newId()
  }

  /** What somebody has set holds at once. */
  changed(): void {
    this.#forget()
  }

  #forget(): void {
    this.#known = undefined
    this.#lastKnown = undefined
  }

  async payFor(payer: Payer, call: CallToPay): Promise<PaidCall> {
    const known = await this.#read()
    const price = priceOf(call.model, known.prices)
    const budgets = budgetsAt(payer.context, known.budgets)
    const isBounded = budgets.some(({ perMonth, perRun }) => perMonth !== null || perRun !== null)
    if (price === undefined && isBounded) throw withoutPrice(call.model)
    const top = payer.runSeq === undefined ? undefined : await this.#topmost(payer.runSeq, budgets)
    const expected = {
      input_tokens: call.input,
      cached_tokens: 0,
      output_tokens: call.mostOutput ?? USUAL_OUTPUT
    }
    const cost = price === undefined ? 0 : costOf(price, expected)
    const runCost = top === undefined || !isRunBounded(budgets) ? 0 : await this.#runCost(top)
    // From here on nothing is waited for: of calls that begin together each sees what the others have put aside.
    for (const budget of budgets) {
      this.#assertMonth(budget, known, cost)
      if (top !== undefined) this.#assertRun(budget, { top, runCost, cost })
      if (payer.spentSoFar !== undefined) assertTask(budget, payer.spentSoFar, cost)
    }
    const aside = { context: payer.context, top, cost }
    this.#aside.add(aside)
    return {
      end: (used) => {
        if (!this.#aside.delete(aside) || used === undefined) return null
        const told = this.#spend(payer, { model: call.model, price, used })
        for (const budget of budgets) this.#warn(budget, this.#lastKnown ?? known)
        return told
      }
    }
  }

  /** Which share of each budget of this month is spent: above 1 where a call cost more than was put aside. */
  async shares(): Promise<{ readonly context: string; readonly share: number }[]> {
    const known = await this.#read()
    return known.budgets.flatMap(({ context, perMonth }) => {
      if (perMonth === null) return []
      const spent = this.#spentIn(context, known)
      return [{ context, share: perMonth === 0 ? 1 : spent / (perMonth * MILLIONTHS) }]
    })
  }

  /** What was spent this month in a context and below, with what is not written yet; in millionths. */
  async spentThisMonth(context: string): Promise<number> {
    return this.#spentIn(context, await this.#read())
  }

  /** Of a run that no other one started, with all below it; in the operator's currency. */
  async costOfRun(runSeq: number): Promise<number> {
    return ((await this.#deps.store.runCost(runSeq)) + this.#unsaved.ofRun(runSeq)) / MILLIONTHS
  }

  /** Resolves when all that was spent is written. */
  save(): Promise<void> {
    this.#timer?.stop()
    this.#timer = undefined
    // One after the other: what is being written comes back where the store refuses it.
    this.#saving = this.#saving.then(() => this.#write())
    return this.#saving
  }

  /**
   * A commit is about to be made anyway. By itself the ledger would be one more for each call, where calls come slowly; where they come
   * quickly, one for many is less than its rows in each.
   */
  joinCommit(): void {
    const now = this.#deps.clock.now()
    if (now - this.#joinedAt < JOINED_EVERY_MS) return
    this.#joinedAt = now
    void this.save()
  }

  async #write(): Promise<void> {
    const { store, clock, onError } = this.#deps
    const batch = this.#unsaved.take()
    if (batch === undefined) return
    const { no, spent, isAgain } = batch
    try {
      const runs = await this.#byTopmost(batch.runs)
      const before = this.#lastKnown
      await store.add({ writer: this.#writer, no, at: clock.now(), spent, runs })
      this.#knowWritten(before, spent)
      this.#unsaved.written()
    } catch (error) {
      this.#saveSoon()
      return onError(error, 'writing what models have cost')
    }
    // What has come since the first attempt.
    if (isAgain) await this.#write()
  }

  /** What was known before it was written has it now, too; what was read meanwhile may have it already. */
  #knowWritten(before: Known | undefined, spent: readonly Spent[]): void {
    const isSame = before !== undefined && before === this.#lastKnown
    this.#lastKnown = isSame ? { ...before, spent: [...before.spent, ...spent] } : undefined
    this.#known = this.#lastKnown && Promise.resolve(this.#lastKnown)
  }

  async #byTopmost(runs: readonly RunCost[]) {
    const costs = new Map<number, number>()
    for (const { runSeq, cost } of runs) {
      const top = this.#unsaved.topOf(runSeq) ?? (await this.#topOf(runSeq))
      costs.set(top, (costs.get(top) ?? 0) + cost)
    }
    return [...costs].map(([runSeq, cost]) => ({ runSeq, cost }))
  }

  #spend(
    { context, flowId, runSeq }: Payer,
    { model, price, used: told }: { model: string; price: ModelPrice | undefined; used: UsedTokens }
  ): number | null {
    const used = wholeTokens(told)
    const cost = price === undefined ? 0 : costOf(price, used)
    const { day } = daysOf(this.#deps.clock.now())
    const { input_tokens: input, cached_tokens: cached, output_tokens: output } = used
    const counts = { calls: 1, input, cached, output, cost, unpriced: price === undefined ? 1 : 0 }
    this.#unsaved.add({ day, context, flowId, model, ...counts }, runSeq)
    this.#saveSoon()
    return price === undefined ? null : cost / MILLIONTHS
  }

  #saveSoon(): void {
    this.#timer ??= this.#deps.clock.startTimer(SAVE_AFTER_MS, () => {
      this.#timer = undefined
      void this.save()
    })
  }

  #read(): Promise<Known> {
    const now = this.#deps.clock.now()
    const { fromDay, untilDay } = daysOf(now)
    if (this.#known !== undefined && now - this.#knownAt < KNOWN_FOR_MS) return this.#known
    const { store } = this.#deps
    const reading = Promise.all([
      store.prices(),
      store.budgets(),
      store.spentBetween({ fromDay, untilDay })
    ]).then(([prices, budgets, spent]) => ({ at: now, month: fromDay, prices, budgets, spent }))
    this.#forget()
    this.#known = reading
    this.#knownAt = now
    reading.then(
      (known) => {
        if (this.#known === reading) this.#lastKnown = known
      },
      () => this.#forget()
    )
    return reading
  }

  #assertMonth(budget: Budget, known: Known, cost: number): void {
    const { context, perMonth } = budget
    if (perMonth === null) return
    const spent = this.#spentIn(context, known)
    // What other processes have spent, and what was spent before this one began, is seen here first.
    this.#warn(budget, known)
    if (spent + this.#asideIn(context) + cost > perMonth * MILLIONTHS) throw overBudget(budget, spent)
  }

  /** Also when no further call comes, or none that the budget covers: whoever is told of the refusal is told too late. */
  #warn(budget: Budget, known: Known): void {
    const { context, perMonth } = budget
    if (perMonth === null) return
    const spent = this.#spentIn(context, known)
    if (stateOf(budget, spent) === 'ok') return
    const key = `${known.month} ${context} ${perMonth}`
    if (this.#warned.has(key)) return
    this.#warned.add(key)
    this.#deps.onNear(context, `${inWords(spent)} of ${inWords(perMonth * MILLIONTHS)} are spent this month`)
  }

  #assertRun({ context, perRun }: Budget, of: { top: number; runCost: number; cost: number }): void {
    if (perRun === null) return
    const unsaved = this.#unsaved.ofRun(of.top)
    const aside = this.#sum((each) => each.top === of.top)
    if (of.runCost + unsaved + aside + of.cost <= perRun * MILLIONTHS) return
    throw overRun(context, { most: perRun, spent: of.runCost + unsaved, cost: of.cost })
  }

  #spentIn(context: string, known: Known): number {
    return spentIn(context, known.spent) + spentIn(context, this.#unsaved.spent(known.month))
  }

  #asideIn(context: string): number {
    return spentIn(context, this.#aside)
  }

  #sum(isMeant: (each: { readonly top: number | undefined }) => boolean): number {
    let sum = 0
    for (const each of this.#aside) if (isMeant(each)) sum += each.cost
    return sum
  }

  async #topmost(runSeq: number, budgets: readonly Budget[]): Promise<number | undefined> {
    if (!isRunBounded(budgets)) return undefined
    return this.#topOf(runSeq)
  }

  async #topOf(runSeq: number): Promise<number> {
    const top = await this.#deps.store.topmost(runSeq)
    this.#unsaved.knowTop(runSeq, top)
    return top
  }

  /** What is written of it. What is not written yet is known by itself. */
  #runCost(top: number): Promise<number> {
    return this.#deps.store.runCost(top)
  }
}

function assertTask({ context, perRun }: Budget, spentSoFar: number, cost: number): void {
  const spent = spentSoFar * MILLIONTHS
  if (perRun === null || spent + cost <= perRun * MILLIONTHS) return
  throw overTask(context, { most: perRun, spent, cost })
}

function isRunBounded(budgets: readonly Budget[]): boolean {
  return budgets.some(({ perRun }) => perRun !== null)
}
