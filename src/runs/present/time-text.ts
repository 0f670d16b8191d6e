/** A time as ISO 8601 text. */
export function timeText(ms: number): string
export function timeText(ms: number | null): string | null
export function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
