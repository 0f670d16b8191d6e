/** Where to go after signing in: a path of this page and nothing else, so that no link can lead somebody away. */
export function nextPlace(asked: string | null): string {
  if (asked === null || !/^\/(?![/\\])/.test(asked)) return '/flows'
  return asked.startsWith('/sign-in') ? '/flows' : asked
}
