/** How a run stands, as it is told to whoever asks. */
export const RUN_STATUSES = ['queued', 'in progress', 'waiting', 'succeeded', 'failed', 'cancelled'] as const

export type RunStatus = (typeof RUN_STATUSES)[number]
