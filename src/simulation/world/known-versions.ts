import type { FlowSpec } from '../life/flow-spec.ts'

/** Which flow each version of it was, by `id@version`. */
export class KnownVersions {
  /** The first is the likeliest: saves are taken in turn. */
  readonly #specs = new Map<string, readonly FlowSpec[]>()

  get(version: string): FlowSpec | undefined {
    return this.#specs.get(version)?.[0]
  }

  set(version: string, spec: FlowSpec): void {
    this.#specs.set(version, [spec])
  }

  /**
   * To be called before it is asked for, since a process that dies meanwhile may have saved it; and what it returns, with the answer. Of two
   * who save the same version in the same moment, one is refused.
   */
  saving(version: string, spec: FlowSpec): (isSaved: boolean) => void {
    const others = () => (this.#specs.get(version) ?? []).filter((each) => each !== spec)
    this.#specs.set(version, [...others(), spec])
    return (isSaved) => void this.#specs.set(version, isSaved ? [spec] : others())
  }
}
