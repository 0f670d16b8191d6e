import type { Catalogue } from '../flows/component/catalogue.ts'
import { resolveFields } from '../flows/component/component.ts'
import { readCorsOrigins } from '../flows/cors-origins.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { startNodes } from './start-nodes.ts'

/** What a flow's public chat shows and takes: the fields of its Chat Input. */
export interface ChatEntry {
  readonly title: string
  readonly welcome: string
  /** Sites that may show it; `*` are all. */
  readonly origins: readonly string[]
  /** Messages per minute; 0 is no limit. */
  readonly rateLimit: number
}

/** Null where the flow has no Chat Input, or one that is not for everybody. */
export function chatEntry(document: FlowDocument, catalogue: Catalogue): ChatEntry | null {
  const { context, name } = document
  const node = startNodes(document).find(({ type }) => catalogue.find(context, type)?.trigger === 'chat')
  if (node === undefined) return null
  const fields = resolveFields(catalogue.find(context, node.type)!, node.fields as Record<string, JsonValue>)
  if (fields.public !== true) return null
  return {
    title: name,
    welcome: String(fields.welcome ?? ''),
    origins: readCorsOrigins(fields.origins),
    rateLimit: Number(fields.rate_limit ?? 0)
  }
}
