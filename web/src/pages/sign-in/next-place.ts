/** Stands for where the page is. */
const HERE = 'http://here.invalid'

/** Where to go after signing in: a path of this page and nothing else, so that no link can lead somebody away. */
export function nextPlace(asked: string | null): string {
  // Read as a browser does, which drops tabs and line breaks and takes a backslash for a slash.
  const url = asked?.startsWith('/') === true ? URL.parse(asked, HERE) : null
  if (url === null || url.origin !== HERE || url.pathname.startsWith('//')) return '/flows'
  return url.pathname.startsWith('/sign-in') ? '/flows' : url.pathname + url.search + url.hash
}
