/** So long a write is proof that the store can be written. */
const PROOF_MS = 1_000
/** So long after a refusal nothing but a write of its own is proof: what is nearly full takes this and refuses that. */
const DOUBT_MS = 5_000

interface SharedProbeDeps {
  /** A small write. */
  readonly write: () => Promise<void>
  /** Why nothing may be written, as far as that is known without a write. */
  readonly refusal?: () => Error | undefined
  /** Milliseconds, monotonic. */
  readonly now?: () => number
}

/**
 * Tells whether the store can be written, at the cost of one write a second at the most, however often and by whomever
 * it is asked: anybody may ask without a key. On a busy service it costs none, since what is written anyway is proof.
 */
export class SharedProbe {
  readonly #deps: Required<SharedProbeDeps>
  #writtenAt = Number.NEGATIVE_INFINITY
  #refusedAt = Number.NEGATIVE_INFINITY
  #underWay: Promise<void> | undefined

  constructor({ refusal = () => undefined, now = () => performance.now(), write }: SharedProbeDeps) {
    this.#deps = { write, refusal, now }
  }

  /** To be told of every write. */
  wrote(): void {
    this.#writtenAt = this.#deps.now()
  }

  refused(): void {
    this.#refusedAt = this.#deps.now()
  }

  async probe(): Promise<void> {
    const { refusal, now } = this.#deps
    const known = refusal()
    if (known !== undefined) throw known
    const isProven = now() - this.#writtenAt < PROOF_MS && now() - this.#refusedAt >= DOUBT_MS
    if (isProven) return
    this.#underWay ??= this.#write()
    return this.#underWay
  }

  async #write(): Promise<void> {
    try {
      await this.#deps.write()
      this.wrote()
    } catch (error) {
      this.refused()
      throw error
    } finally {
      this.#underWay = undefined
    }
  }
}
