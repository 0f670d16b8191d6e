import { BEGINNING } from '../world/virtual-clock.ts'
import type { World } from '../world/world.ts'
import type { RunRecord } from './records.ts'

/** What retention deletes must have ended long enough ago, and be needed by nobody. */
export class RetentionWatch {
  readonly #world: World
  #before: readonly RunRecord[] = []
  #at = 0

  constructor(world: World) {
    this.#world = world
  }

  /** To be called before anything is deleted, and once more at the end. */
  look(): void {
    const { scenario, records, scheduler, wall } = this.#world
    const { retentionMs, events } = scenario
    // Who sets the clock, or deletes flows with their runs, has other ends in sight.
    if (retentionMs === null || events.some(({ kind }) => kind === 'jump' || kind === 'purge')) return
    const now = records.all()
    const left = new Set(now.map(({ seq }) => seq))
    for (const run of this.#before) if (!left.has(run.seq)) this.#judge(run, retentionMs, left)
    this.#before = now
    this.#at = BEGINNING + wall.skewMs + scheduler.now
  }

  #judge(run: RunRecord, retentionMs: number, left: ReadonlySet<number>): void {
    const world = this.#world
    if (run.finishedAt === null) world.fail('retention deletes no open run', `Run ${run.id} had not ended.`)
    else if (this.#at - run.finishedAt < retentionMs)
      world.fail(
        'retention counts from the end',
        `Run ${run.id} was deleted ${this.#at - run.finishedAt} ms after its end, and is kept for ${retentionMs}.`
      )
    const parent = this.#before.find(({ seq }) => seq === run.parentSeq)
    if (parent !== undefined && left.has(parent.seq) && parent.status === null && run.isAwaited)
      world.fail('retention deletes nothing that is needed', `${run.id} went before its parent had ended.`)
  }
}
