export interface ReleaseFacts {
  readonly name: string
  readonly version: string
  readonly lockedVersion: string
  readonly today: string
  readonly changelog: string
  readonly branch: string | undefined
  readonly changes: readonly string[]
  readonly tree: string
  readonly head: string
  readonly tagged: string | undefined
  readonly passed: Readonly<Record<string, { readonly at: string }>>
  readonly published: 'yes' | 'no' | 'unknown'
  /** Packages with grave faults that are known. */
  readonly vulnerable: readonly string[] | 'unknown'
}

export function refusalsOf(facts: ReleaseFacts): string[]
