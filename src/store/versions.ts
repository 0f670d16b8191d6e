/** What a version was made by. */
export type VersionOrigin = 'created' | 'saved' | 'published' | 'restored' | 'undone' | 'pushed' | 'file'

/** What is known of a version besides its document; null in those of before it was kept. */
export interface VersionFacts {
  readonly origin: VersionOrigin | null
  /** The name of the key that made it. */
  readonly author: string | null
  readonly name: string | null
  readonly note: string | null
  /** What is different in it from the version before, in a few words. */
  readonly changes: string | null
}

export interface VersionSummary extends VersionFacts {
  readonly version: number
  readonly createdAt: number
}

export interface FlowVersion extends VersionSummary {
  readonly document: string
}

export interface VersionQuestion {
  readonly limit: number
  /** Only versions before this one: where the last page ended. */
  readonly before?: number
  /** Only those that were given a name. */
  readonly isNamed?: boolean
}
