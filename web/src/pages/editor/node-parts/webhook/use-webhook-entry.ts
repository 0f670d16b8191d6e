import { findNode } from '../../../../editor/graph/flow.ts'
import { useDrawnFlow, useEditor } from '../../editor-context.ts'
import { useContextScope } from '../use-context-scope.ts'
import { type WebhookEntry, webhookEntry } from './webhook-entry.ts'

/** What the endpoint asks of its callers, as the flow is drawn now. */
export function useWebhookEntry(node: string): WebhookEntry | undefined {
  const editor = useEditor()
  const drawn = useDrawnFlow((flow) => findNode(flow, node))
  const scope = useContextScope()
  const component = drawn === undefined ? undefined : editor.component(drawn.type)
  if (drawn === undefined || component === undefined) return undefined
  return webhookEntry({ fields: drawn.fields, component }, scope)
}
