/** A run that the clock started. */
export interface TickRun {
  readonly id: string
  readonly scheduledAt: number
  readonly isLate: boolean
}

/** From one moment to another, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface TickVerdict {
  readonly late: number
  readonly doubled: number
  /** Times that came while somebody watched the clock, and how many of them have a run. */
  readonly due: number
  readonly ran: number
  readonly illegal: readonly string[]
}

const SECOND = 1_000
/** Who has just begun to watch, or is about to be killed, may miss a time; so may one that gets no turn on a busy machine. */
const MARGIN_MS = 1_000
const LEAST_SHARE = 0.75
const FEW = 3

/**
 * Judges the runs of a schedule that comes every second: none has two runs, and where times were missed, the last of them
 * has its run, marked late. So whatever comes after a gap is late; and there are few gaps while somebody watches.
 */
export function judgeTicks(ticks: readonly TickRun[], watched: readonly Span[] = []): TickVerdict {
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
  const { due, ran } = countDue(ticks, watched)
  if (due - ran > FEW && ran < due * LEAST_SHARE)
    illegal.push(`of ${due} times that came while somebody watched, ${ran} have a run`)
  return { late: ticks.filter(({ isLate }) => isLate).length, doubled, due, ran, illegal }
}

/** Up to the last one: then the clock was stopped. */
function countDue(ticks: readonly TickRun[], watched: readonly Span[]): Pick<TickVerdict, 'due' | 'ran'> {
  const times = new Set(ticks.map(({ scheduledAt }) => scheduledAt))
  const last = Math.max(...times)
  const counted = { due: 0, ran: 0 }
  for (const { from, to } of watched) {
    const end = Math.min(to - MARGIN_MS, last)
    for (let at = Math.ceil((from + MARGIN_MS) / SECOND) * SECOND; at <= end; at += SECOND) {
      counted.due++
      if (times.has(at)) counted.ran++
    }
  }
  return counted
}
