/** What one page of the page needs besides what the document names; written by the build. */
interface PageParts {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** By their addresses: `flows`, `flows/:flow`. */
export type Preloads = Readonly<Record<string, PageParts>>

/**
 * Links that let a browser ask at once for all that an address needs. By itself it would learn of a page when the shell
 * around it has come and run, and of the flow when the page has: on a slow connection that is seconds.
 *
 * `name` is the path below the prefix. Answers of the API are asked for where there is a session only: without one they
 * would be refused.
 */
export function preloadLinks(preloads: Preloads, name: string, hasSession: boolean): string[] {
  const parts = name.split('/')
  const address = Object.keys(preloads).find((pattern) => isAt(pattern.split('/'), parts))
  if (address === undefined) return []
  const { scripts, styles } = preloads[address]!
  return [
    ...(hasSession ? answersFor(address, parts).map(fetchLink) : []),
    ...styles.map((file) => `<link rel="preload" as="style" crossorigin href="./${file}">`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="./${file}">`)
  ]
}

function isAt(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false
  return pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
}

/** What the page asks for first. They have to be the very addresses that it asks for. */
function answersFor(address: string, [, flow = '']: readonly string[]): string[] {
  if (address !== 'flows/:flow') return ['session']
  return ['session', `flows/${flow}`, `flows/${flow}/draft?or_none=true`, 'components?context=%2F']
}

/** As `fetch` asks: a preload that differs from what is asked for later is fetched twice. */
function fetchLink(path: string): string {
  const escaped = path.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<link rel="preload" as="fetch" crossorigin="anonymous" href="./api/v1/${escaped}">`
}
