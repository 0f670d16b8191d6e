import type { LiveFlow } from '../../library/live-flow.ts'
import { timeText } from '../../runs/present-run.ts'

/** A flow as it is read: its document, and what was not in it. */
export function presentFlow(flow: LiveFlow, document = flow.document) {
  return {
    id: flow.id,
    version: flow.version,
    ...document,
    created_at: timeText(flow.createdAt),
    updated_at: timeText(flow.updatedAt),
    ...(flow.warnings.length === 0 ? {} : { warnings: flow.warnings })
  }
}
