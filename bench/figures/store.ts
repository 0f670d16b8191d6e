/** Where a measured service keeps its runs. */
export interface Store {
  readonly env: Readonly<Record<string, string>>
  /** What belongs to it besides the service: of these all that is below them is measured too. */
  readonly trees: readonly number[]
}

export const EMBEDDED: Store = { env: {}, trees: [] }
