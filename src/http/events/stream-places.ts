import { MillraceError } from '../../errors.ts'

/** Of one key: all tabs of whoever signed in with it. */
export const MOST_OF_KEY = 200
/** Of all keys together, in one process: each change is told to all of them in one turn, which takes 30 ms then. */
export const MOST_STREAMS = 600

/** A stream that is open, or is being opened. */
interface Place {
  readonly lose: (error: MillraceError) => void
}

/**
 * How many streams are open. Each holds memory for as long as somebody keeps it open, whether they read or not. When all places are
 * taken, the key that has most of them loses its youngest to one that has fewer: a few keys that take all they may shut nobody out.
 */
export class StreamPlaces {
  /** The oldest first. */
  readonly #ofKey = new Map<string, Set<Place>>()
  #all = 0

  /** Returns what gives the place back. `lose` is called when another key is given it. */
  take(keyId: string, lose: Place['lose']): () => void {
    const own = this.#ofKey.get(keyId)?.size ?? 0
    if (own >= MOST_OF_KEY) throw tooMany(`This key has ${MOST_OF_KEY} streams of events open`)
    if (this.#all >= MOST_STREAMS) this.#makeRoomFor(own + 1)
    const place = { lose }
    this.#ofKey.set(keyId, (this.#ofKey.get(keyId) ?? new Set()).add(place))
    this.#all++
    return () => this.#give(keyId, place)
  }

  /** Who would then have as many as the other had before gets none: both would take turns for ever. */
  #makeRoomFor(wanted: number): void {
    const [keyId, places] = [...this.#ofKey].reduce((most, each) =>
      each[1].size > most[1].size ? each : most
    )
    const words = `${MOST_STREAMS} streams of events are open here`
    if (places.size <= wanted) throw tooMany(words)
    const youngest = [...places].at(-1)!
    this.#give(keyId, youngest)
    youngest.lose(tooMany(`${words}, and this key has most of them`))
  }

  #give(keyId: string, place: Place): void {
    const places = this.#ofKey.get(keyId)
    if (places === undefined || !places.delete(place)) return
    this.#all--
    if (places.size === 0) this.#ofKey.delete(keyId)
  }
}

function tooMany(words: string): MillraceError {
  const message = `${words}, which is as many as there may be. Close those that nobody reads, or read the runs from time to time instead.`
  return new MillraceError('streams_limited', message, { headers: { 'retry-after': '60' } })
}
