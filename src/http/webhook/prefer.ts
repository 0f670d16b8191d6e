/** As long as a caller may keep a connection waiting for the end of a run. */
export const LONGEST_WAIT_SECONDS = 300

/** The seconds of `Prefer: wait=N` (RFC 7240), bounded; undefined where the caller does not want to wait. */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined
  const match = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?/i.exec(String(header))
  return match === null ? undefined : Math.min(Number(match[1]), LONGEST_WAIT_SECONDS)
}
