import type { JsonValue } from '../json/exact-json.ts'
import type { ReferenceName } from './run-references.ts'

interface Start {
  /** What came in. */
  readonly data: JsonValue
  readonly slug: string
  readonly now: number
  /** Where it has been accepted. */
  readonly run?: { readonly id: string }
}

/** What templates of a trigger read besides its payload. No node has put out anything yet. */
export function startReferences(start: Start): Partial<Record<ReferenceName, JsonValue>> {
  const { data, slug, run } = start
  const now = new Date(start.now).toISOString()
  return {
    data,
    flow: { slug },
    now,
    ...(run !== undefined && { run: { id: run.id, session: 'default', created_at: now } })
  }
}
