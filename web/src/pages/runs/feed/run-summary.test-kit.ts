import type { RunSummary } from '../../../api/shapes.ts'

export function summary(id: string, more: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    flow_id: 'flow-1',
    flow_version: 1,
    trigger: 'webhook',
    session: 'default',
    status: 'succeeded',
    created_at: '2026-01-31T12:00:00.000Z',
    started_at: null,
    finished_at: null,
    replay_of: null,
    parent: null,
    test: false,
    error: null,
    summary: '',
    ...more
  }
}

/** A run that was accepted so many seconds after noon. */
export function runAt(second: number, more: Partial<RunSummary> = {}): RunSummary {
  const created_at = new Date(Date.parse('2026-01-31T12:00:00.000Z') + second * 1000).toISOString()
  return summary(`run-${String(second).padStart(4, '0')}`, { created_at, ...more })
}
