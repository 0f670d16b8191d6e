const STEPS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's']
]

/** "3 min ago": how long ago a moment is, in one step. */
export function ago(time: string | null | undefined, now: number): string {
  if (time === null || time === undefined) return ''
  const ms = now - Date.parse(time)
  const step = STEPS.find(([unit]) => ms >= unit)
  return step === undefined ? 'just now' : `${Math.floor(ms / step[0])} ${step[1]} ago`
}
