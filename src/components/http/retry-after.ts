/** Longer waits than this are no answer to a request: whoever set the node's attempts did not mean next week. */
const LONGEST_MS = 86_400_000

/** The wait that an answer asks for, in milliseconds; undefined where it asks for none that can be read. */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  const wait = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : untilDate(text, headers.date, now)
  return wait === undefined ? undefined : Math.min(Math.max(wait, 0), LONGEST_MS)
}

/** Counted from the time that the answer itself names: clocks differ. */
function untilDate(text: string, date: string | undefined, now: number): number | undefined {
  const until = Date.parse(text)
  if (Number.isNaN(until)) return undefined
  const from = Date.parse(date ?? '')
  return until - (Number.isNaN(from) ? now : from)
}
