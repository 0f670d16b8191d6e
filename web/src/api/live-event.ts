/** The events of GET /api/v1/events; see src/runs/present/run-events.ts. */
export const LIVE_EVENT_NAMES = [
  'run.queued',
  'run.started',
  'step.started',
  'step.waiting',
  'step.settled',
  'message',
  'step.tool',
  'run.waiting',
  'run.ended',
  'flow.saved',
  'flow.deleted',
  'draft.saved',
  'draft.deleted',
  'comments.changed',
  'flow.presence'
] as const

export type LiveEventName = (typeof LIVE_EVENT_NAMES)[number]

export interface LiveEvent {
  readonly name: LiveEventName
  readonly data: LiveEventData
}

export interface LiveEventData {
  readonly flow_id: string
  readonly run_id?: string
  readonly [member: string]: unknown
}
