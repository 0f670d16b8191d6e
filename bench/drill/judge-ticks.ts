/** A run that the clock started. */
export interface TickRun {
  readonly id: string
  readonly scheduledAt: number
  readonly isLate: boolean
}

export interface TickVerdict {
  readonly late: number
  readonly doubled: number
  readonly illegal: readonly string[]
}

const SECOND = 1_000

/**
 * Judges the runs of a schedule that comes every second: none has two runs, and where times were missed, the last of them
 * has its run, marked late. So whatever comes after a gap is late.
 */
export function judgeTicks(ticks: readonly TickRun[]): TickVerdict {
  const inOrder = ticks.toSorted((a, b) => a.scheduledAt - b.scheduledAt)
  const illegal: string[] = []
  let doubled = 0
  for (const [index, { id, scheduledAt, isLate }] of inOrder.entries()) {
    const before = inOrder[index - 1]
    const when = new Date(scheduledAt).toISOString()
    if (scheduledAt % SECOND !== 0) illegal.push(`run ${id} is of ${when}, which is no time of the schedule`)
    if (before?.scheduledAt === scheduledAt) {
      doubled++
      illegal.push(`runs ${before.id} and ${id} are of the same time, ${when}`)
    } else if (before !== undefined && scheduledAt - before.scheduledAt > SECOND && !isLate) {
      illegal.push(`times before ${when} were missed, and no run was late`)
    }
  }
  return { late: ticks.filter(({ isLate }) => isLate).length, doubled, illegal }
}
