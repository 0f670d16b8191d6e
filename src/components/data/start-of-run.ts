/** When a run was accepted, as its id tells: an id of the version 7 begins with the time. Undefined for any other id. */
export function startOfRun(id: string): number | undefined {
  const [, time] = /^([0-9a-f]{8}-[0-9a-f]{4})-7[0-9a-f]{3}-[89ab]/i.exec(id) ?? []
  return time === undefined ? undefined : Number.parseInt(time.replace('-', ''), 16)
}
