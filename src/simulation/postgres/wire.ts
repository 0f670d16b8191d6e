import type { QueryResult } from 'pg'
import { type AnswerOrder, SLOWEST_MS, type StoreCondition } from '../faults/store-proxy.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { Owner, Scheduler } from '../world/scheduler.ts'
import type { DatabaseClock } from './database-clock.ts'
import { diskFull, type Line, notThere, terminated } from './line.ts'
import type { RealSessions, Session } from './real-sessions.ts'
import type { Statement } from './statement.ts'
import type { UnderWork } from './under-work.ts'

interface WireOptions {
  readonly scheduler: Scheduler
  readonly random: SeededRandom
  readonly condition: StoreCondition
  readonly answers: AnswerOrder
  /** See Scenario. */
  readonly unheard: number
  readonly sessions: RealSessions
  readonly underWork: UnderWork
  readonly clock: DatabaseClock
}

/** As the store asks of it. */
const IDLE_IN_TRANSACTION_MS = 5_000

const NO_ROWS = { rows: [], rowCount: 0 } as unknown as QueryResult

/** By which statements calls of the store are known; any other name means all of them. */
const STATEMENTS: Readonly<Record<string, RegExp>> = { 'runs.checkpoint': /^journal/, 'runs.park': /^park/ }

/**
 * Between the simulated processes and the real server. Statements reach it one at a time, in an order that the seed decides, and so
 * do their answers come back; so two transactions take every turn that they could take. Connections break where the seed says so.
 */
export class Wire {
  readonly #options: WireOptions
  readonly #lines = new Set<Line>()
  readonly #cleaning = new Set<Promise<void>>()
  readonly #arrived = new Map<number, () => void>()
  #sent = 0
  #wasDown = false

  constructor(options: WireOptions) {
    this.#options = options
  }

  /** Resolves when nothing more happens by itself. */
  async quiet(): Promise<void> {
    const { condition, underWork } = this.#options
    const isDown = condition.state === 'down'
    // A server that restarts has ended all sessions, of those who say nothing meanwhile too.
    if (isDown) this.#isTroubled()
    if (isDown && !this.#wasDown) for (const line of this.#lines) this.cut(line)
    this.#wasDown = isDown
    for (let changes = -1, took = false; took || changes !== underWork.changes; ) {
      changes = underWork.changes
      await underWork.quiet()
      await Promise.all(this.#cleaning)
      took = this.#takeArrived()
    }
  }

  /** A commit frees who waited for its lock: both answer in the same instant, in an order of sockets. Here it is that of asking. */
  #takeArrived(): boolean {
    const inOrder = [...this.#arrived].sort(([a], [b]) => a - b)
    this.#arrived.clear()
    for (const [, take] of inOrder) take()
    return inOrder.length > 0
  }

  connect(line: Line): Promise<void> {
    const { scheduler, condition, sessions } = this.#options
    return new Promise((resolve, reject) => {
      scheduler.add(0, 'connect', line.owner, () => {
        if (condition.state === 'down') return this.#answer(line, 'no connection', () => reject(notThere()))
        const connecting = sessions.take(line.config).then((session) => {
          line.session = session
          this.#lines.add(line)
          this.#answer(line, 'connected', () => {
            line.isOpen = !line.isCut
            if (line.isCut) reject(terminated())
            else resolve()
          })
        }, reject)
        this.#clean(connecting)
      })
    })
  }

  /** Never settles once its process is dead. */
  execute(line: Line, statement: Statement): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      if (line.owner.isDead) return
      if (line.isCut) return reject(terminated())
      this.#options.scheduler.add(0, statement.label, line.owner, () => {
        const { session } = line
        if (session === undefined || line.isCut) return reject(terminated())
        const fault = this.#faultOf(line, statement)
        if (fault !== undefined) return reject(fault)
        const isLost = this.#isLost(line, statement)
        const place = this.#sent++
        const arrives = (take: () => void) => void this.#arrived.set(place, take)
        this.#done(line, session, statement).then(
          (result) =>
            arrives(() => {
              if (!isLost) return this.#answer(line, `answer ${statement.label}`, () => resolve(result))
              this.#options.scheduler.note(`lost ${statement.label}`)
              this.cut(line)
              reject(terminated())
            }),
          (error) =>
            arrives(() =>
              this.#answer(line, `error ${statement.label}`, () => reject(line.isCut ? terminated() : error))
            )
        )
      })
    })
  }

  /** The connection is ended in good order. */
  leave(line: Line): void {
    this.#end(line)
  }

  /** The connection is gone: its transaction with it, and whoever waits for an answer is told. */
  cut(line: Line): void {
    if (line.isCut) return
    this.#end(line)
    // Before it is open, whoever opens it is told.
    if (!line.owner.isDead && line.isOpen)
      this.#options.scheduler.add(0, 'connection lost', line.owner, line.onCut)
  }

  /** The server ends sessions whose transaction nobody goes on with. */
  froze(owner: Owner): void {
    const { scheduler } = this.#options
    scheduler.add(IDLE_IN_TRANSACTION_MS, 'idle in transaction', undefined, () => {
      if (owner.frozenUntil < scheduler.now) return
      for (const line of this.#lines) if (line.owner === owner && line.isInTransaction) this.cut(line)
    })
  }

  async died(owner: Owner): Promise<void> {
    for (const line of this.#lines) if (line.owner === owner) this.cut(line)
    await this.quiet()
  }

  #end(line: Line): void {
    line.isCut = true
    this.#lines.delete(line)
    const { session } = line
    line.session = undefined
    if (session !== undefined) this.#clean(this.#cleanUp(line, session))
  }

  #clean(task: Promise<void>): void {
    const done = task.finally(() => this.#cleaning.delete(done))
    this.#cleaning.add(done)
  }

  async #cleanUp(line: Line, session: Session): Promise<void> {
    const { underWork, sessions } = this.#options
    if (underWork.has(session)) await underWork.cancel(session)
    // Behind what is under way: the session does one thing after the other.
    await underWork.do(session, async () => void (await session.client.query('ROLLBACK')))
    line.isInTransaction = false
    sessions.giveBack(session)
  }

  #done(line: Line, session: Session, statement: Statement): Promise<QueryResult> {
    const { kind, config } = statement
    if (kind === 'listen') {
      line.isListening = true
      return Promise.resolve(NO_ROWS)
    }
    if (kind === 'notify') {
      this.#tellAll(String(config.values?.[1]))
      return Promise.resolve(NO_ROWS)
    }
    return this.#options.underWork.do(session, () => this.#atServer(line, session, statement))
  }

  async #atServer(line: Line, { client }: Session, { kind, config }: Statement): Promise<QueryResult> {
    const setting = line.isInTransaction ? undefined : this.#options.clock.set(client)
    const result = client.query(config)
    const [, answer] = await Promise.all([setting, result])
    if (kind === 'begin') {
      line.isInTransaction = true
      line.hasWritten = false
    } else if (kind === 'commit' || kind === 'rollback') line.isInTransaction = false
    else if (kind === 'write') line.hasWritten = true
    return answer
  }

  #faultOf(line: Line, { kind, label }: Statement): Error | undefined {
    const { condition, random } = this.#options
    if (kind !== 'write') return undefined
    const isMeant = condition.refusals > 0 && (STATEMENTS[condition.refusing]?.test(label) ?? true)
    const { state } = condition
    const isRefused = state === 'full' || (state === 'shaky' && random.chance(0.5))
    if (!isRefused && !isMeant) return undefined
    this.#isTroubled()
    if (state === 'full') return diskFull()
    if (!isRefused) condition.refusals--
    if (random.chance(0.5)) return diskFull()
    this.cut(line)
    return terminated()
  }

  /** What was written is committed, and nobody is told so. */
  #isLost(line: Line, { kind }: Statement): boolean {
    const { condition } = this.#options
    const commits = kind === 'commit' ? line.hasWritten : kind === 'write' && !line.isInTransaction
    if (!commits || condition.losses === 0) return false
    condition.losses--
    this.#isTroubled()
    return true
  }

  #isTroubled(): void {
    const { condition, scheduler } = this.#options
    condition.troubledAt = scheduler.now
  }

  /** A hint, that may be missed. The server's own way takes as long as it takes, so it is not used. */
  #tellAll(payload: string): void {
    const { random, unheard } = this.#options
    for (const line of this.#lines) {
      if (!line.isListening || (unheard > 0 && random.chance(unheard))) continue
      this.#answer(line, 'signal', () => line.onSignal(payload))
    }
  }

  #answer(line: Line, label: string, then: () => void): void {
    const { scheduler, answers } = this.#options
    if (line.owner.isDead) return
    if (answers === 'burst' && line.owner.frozenUntil <= scheduler.now) then()
    else scheduler.add(this.#delay(), label, line.owner, then)
  }

  #delay(): number {
    const { answers, random } = this.#options
    if (answers === 'slow') return random.below(SLOWEST_MS)
    if (answers !== 'late' || !random.chance(0.05)) return 0
    return random.chance(0.1) ? 2_000 : random.below(30)
  }
}
