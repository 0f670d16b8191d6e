import { getHeapStatistics } from 'node:v8'
import { MillraceError } from '../../errors.ts'

/** Of what the heap may become, for bodies that are on their way. They are not in the heap, but in the same memory. */
const SHARE_OF_HEAP = 1 / 4

/** A body that has come in part. */
export interface UnfinishedBody {
  /** Nothing more of it is kept. */
  refuse(error: MillraceError): void
}

/**
 * What bodies take that have not come whole. Without a bound, whoever opens connections and sends all but the last byte fills the memory,
 * without a key. When there is no room, the one that has been on its way for longest is refused: an honest sender is done in a moment, and one
 * that stops in the middle is the oldest soon. One by itself always fits.
 */
export class BodyMemory {
  readonly #limit: number
  #bytes = 0
  /** The oldest first. */
  readonly #taken = new Map<UnfinishedBody, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The body takes so much now, all in all. It may be refused itself only by one that comes later. */
  take(body: UnfinishedBody, bytes: number): void {
    this.#bytes += bytes - (this.#taken.get(body) ?? 0)
    this.#taken.set(body, bytes)
    while (this.#bytes > this.#limit && this.#taken.size > 1) this.#refuseOldest(body)
  }

  /** It is whole, or nobody waits for it any more. Also for one that has taken nothing. */
  give(body: UnfinishedBody): void {
    this.#bytes -= this.#taken.get(body) ?? 0
    this.#taken.delete(body)
  }

  #refuseOldest(except: UnfinishedBody): void {
    const [first, second] = this.#taken.keys()
    const oldest = first === except ? second! : first!
    this.give(oldest)
    oldest.refuse(tooManyBodies())
  }
}

/** One for the process, whose memory it is. */
export const bodyMemory = new BodyMemory(Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP))

function tooManyBodies(): MillraceError {
  return new MillraceError(
    'backlog_full',
    'Too many requests are being sent at the same time, and this one has taken the longest. Send it again in one go.'
  )
}
