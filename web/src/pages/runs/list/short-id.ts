/** Ids of runs begin with their time, so runs of one minute begin alike: the end tells them apart. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`
}
