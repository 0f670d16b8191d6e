/** A few names that are kept on this machine, such as what was used most recently. What cannot be kept is forgotten. */
export class KeptNames {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly #key: string

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, key: string) {
    this.#storage = storage
    this.#key = key
  }

  read(): readonly string[] {
    try {
      const kept: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? '[]')
      return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : []
    } catch {
      return []
    }
  }

  /** To the front; at most `most` stay. */
  putFirst(name: string, most: number): void {
    this.#write([name, ...this.read().filter((other) => other !== name)].slice(0, most))
  }

  toggle(name: string): void {
    const kept = this.read()
    this.#write(kept.includes(name) ? kept.filter((other) => other !== name) : [...kept, name])
  }

  #write(names: readonly string[]): void {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(names))
    } catch {
      // A browser without storage, or with a full one: only comfort is lost.
    }
  }
}
