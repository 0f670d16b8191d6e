import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8 collects everything, the old with the young, for every 64 MB that came from the network. */
const COLLECT_AFTER = 16 * 1024 * 1024

type Collect = (options: { type: 'minor' }) => void

/**
 * What bodies leave behind. Their parts are garbage as soon as they are written, but V8 sees only the few bytes that each has in the heap: it waits until
 * all outside the heap are too many, and then goes through all that lives (40 uploads of a megabyte: 90 ms). To go through the young from time
 * to time takes 1 ms, and finds all of them.
 */
export class YoungGarbage {
  /** Made when it is needed: it takes a context of its own. */
  #collect: (() => void) | undefined
  #bytes = 0

  constructor(collect?: () => void) {
    this.#collect = collect
  }

  /** So many bytes are needed no longer. */
  left(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < COLLECT_AFTER) return
    this.#bytes = 0
    this.#collect ??= collectYoung()
    this.#collect()
  }
}

/** Node has it only for who starts with this flag, and then for everybody. */
function collectYoung(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return () => collect({ type: 'minor' })
}

/** One for the process, whose memory it is. */
export const youngGarbage = new YoungGarbage()
