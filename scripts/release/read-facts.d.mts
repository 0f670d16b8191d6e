import type { ReleaseFacts } from './refusals.mjs'

export function readFacts(
  root: string,
  given: {
    readonly today: string
    readonly askPublished: (name: string, version: string) => Promise<ReleaseFacts['published']>
    readonly askAudit: (root: string) => Promise<ReleaseFacts['vulnerable']>
  }
): Promise<ReleaseFacts>
