import { toneOf } from '../print/paint.ts'
import type { Column } from '../print/table.ts'
import { ago, lasting } from '../print/times.ts'
import type { Summary } from './run-choice.ts'

interface NamedRun {
  readonly run: Summary
  readonly flow: string
}

/** On a terminal how long ago, elsewhere when. */
export function runColumns(now: number, isTerminal: boolean): Column<NamedRun>[] {
  return [
    { title: 'RUN', of: ({ run }) => run.id },
    { title: 'FLOW', of: ({ flow }) => flow, tone: () => 'strong', shrinks: true, leaves: 4 },
    { title: 'STATUS', of: ({ run }) => run.status, tone: ({ run }) => toneOf(run.status) },
    { title: 'BY', of: ({ run }) => (run.test ? 'test' : run.trigger), leaves: 1 },
    { title: 'WHEN', of: ({ run }) => (isTerminal ? ago(run.created_at, now) : run.created_at), leaves: 3 },
    { title: 'TOOK', of: ({ run }) => tookText(run), align: 'right', leaves: 2 },
    { title: 'WHAT', of: ({ run }) => run.error?.message ?? run.summary, shrinks: true, leaves: 5 }
  ]
}

export function tookText({ started_at, finished_at }: Pick<Summary, 'started_at' | 'finished_at'>): string {
  if (started_at === null || finished_at === null) return ''
  return lasting(Date.parse(finished_at) - Date.parse(started_at))
}
