import { MillraceError } from '../../errors.ts'

/** Of one key: all tabs of whoever signed in with it. */
export const MOST_OF_KEY = 200
/** Of all keys together, in one process: each change is told to all of them in one turn, which takes 30 ms then. */
export const MOST_STREAMS = 600

/** How many streams are open. Each holds memory for as long as somebody keeps it open, whether they read or not. */
export class StreamPlaces {
  readonly #ofKey = new Map<string, number>()
  #all = 0

  /** Returns what gives the place back. */
  take(keyId: string): () => void {
    const own = this.#ofKey.get(keyId) ?? 0
    if (own >= MOST_OF_KEY) throw tooMany(`This key has ${MOST_OF_KEY} streams of events open`)
    if (this.#all >= MOST_STREAMS) throw tooMany(`${MOST_STREAMS} streams of events are open here`)
    this.#count(keyId, 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#count(keyId, -1)
      isTaken = false
    }
  }

  #count(keyId: string, more: number): void {
    const own = (this.#ofKey.get(keyId) ?? 0) + more
    this.#all += more
    if (own === 0) this.#ofKey.delete(keyId)
    else this.#ofKey.set(keyId, own)
  }
}

function tooMany(words: string): MillraceError {
  const message = `${words}, which is as many as there may be. Close those that nobody reads, or read the runs from time to time instead.`
  return new MillraceError('streams_limited', message, { headers: { 'retry-after': '60' } })
}
