/** Small amounts have more digits: a call may cost a hundredth of a cent. */
export function costText(cost: number): string {
  const digits = cost === 0 || cost >= 1 ? 2 : 4
  return cost.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export function countText(count: number): string {
  return count.toLocaleString('en', { notation: count >= 100_000 ? 'compact' : 'standard' })
}

/** Every day from the first to the last, those without usage too. */
export function everyDay(since: string, until: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(since); at <= Date.parse(until); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

export function daysBefore(now: number, days: number): string {
  return new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000
