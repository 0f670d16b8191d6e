import { findNode } from '../../../../editor/graph/flow.ts'
import { type FlowState, useEditor, useFlowAs } from '../../editor-context.ts'
import { useContextScope } from '../use-context-scope.ts'
import { type WebhookEntry, webhookEntry } from './webhook-entry.ts'

/** What the endpoint asks of its callers, or will ask of them once what is drawn is published. */
export function useWebhookEntry(node: string, state: FlowState = 'drawn'): WebhookEntry | undefined {
  const editor = useEditor()
  const found = useFlowAs(state, (flow) => findNode(flow, node))
  const scope = useContextScope(state)
  const component = found === undefined ? undefined : editor.component(found.type)
  if (found === undefined || component === undefined) return undefined
  return webhookEntry({ fields: found.fields, component }, scope)
}
