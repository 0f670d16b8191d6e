import type { ServiceEvent } from '../events/follow-events.ts'

interface Arrived {
  readonly id: string
  readonly trigger: string
  readonly created_at: string
  readonly test?: boolean
}

/** So many at the same moment are told apart; more come to no webhook in a millisecond. */
const MOST_KNOWN = 20_000

/** Which runs of a flow came by a request and were not handed on yet, whether events or the list tell of them. */
export class Arrivals {
  #since: string | undefined
  readonly #known = new Set<string>()

  /** From when on the list has to be read. */
  get since(): string | undefined {
    return this.#since
  }

  /** Of a run that is queued again, such as by retry, nothing new is told. */
  isNewEvent({ event, data }: ServiceEvent): boolean {
    if (event !== 'run.queued' || typeof data.created_at !== 'string') return false
    return this.isNew({
      id: String(data.run_id),
      trigger: String(data.trigger),
      created_at: data.created_at,
      test: data.test === true
    })
  }

  isNew({ id, trigger, created_at, test = false }: Arrived): boolean {
    if (trigger !== 'webhook' || test || this.#known.has(id)) return false
    this.pass({ id, created_at })
    return true
  }

  /** Whatever it is, it is behind. */
  pass({ id, created_at }: Pick<Arrived, 'id' | 'created_at'>): void {
    this.#known.add(id)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.values().next().value!)
    if (this.#since === undefined || created_at > this.#since) this.#since = created_at
  }
}
