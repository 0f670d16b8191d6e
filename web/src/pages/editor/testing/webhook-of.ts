import type { Flow } from '../../../editor/graph/flow.ts'

/** The Webhook of a flow, whose payload is what a test begins with. */
export function webhookOf({ nodes }: Flow): string | undefined {
  return nodes.find(({ type, disabled }) => type === 'webhook' && disabled !== true)?.id
}
