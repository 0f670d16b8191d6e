/**
 * Syncs of one folder, each for all who wait for it. Who comes while one is on its way waits for the next: the one on its way may have begun
 * before what is to be durable was there. A sync that fails fails for all who shared it, and the next begins anew.
 */
export class GroupSync {
  readonly #sync: () => Promise<void>
  #underWay: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(sync: () => Promise<void>) {
    this.#sync = sync
  }

  /** Resolves when what was there at the call is durable. */
  wait(): Promise<void> {
    if (this.#underWay === undefined) return this.#begin()
    const begin = () => this.#begin()
    this.#next ??= this.#underWay.then(begin, begin)
    return this.#next
  }

  #begin(): Promise<void> {
    this.#next = undefined
    const sync = this.#sync()
    this.#underWay = sync
    const ended = () => {
      this.#underWay = undefined
    }
    sync.then(ended, ended)
    return sync
  }
}
