/** Pages of any origin. */
export const ANY_ORIGIN = '*'

/** As browsers write origins: a scheme, a host and maybe a port, in lower case, and nothing after that. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\A-Z]+$/

/** What keeps a text from being an origin that a browser could send; undefined where nothing does. */
export function originFault(text: string): string | undefined {
  if (text === ANY_ORIGIN) return undefined
  const meant = originIn(text)
  if (meant === text) return undefined
  return meant === undefined
    ? `${JSON.stringify(text.slice(0, 200))} is no origin. Write a scheme and a host, such as "https://shop.example.com", or "*" for pages of any origin.`
    : `${JSON.stringify(text.slice(0, 200))} is not how a browser writes an origin. Write "${meant}".`
}

function originIn(text: string): string | undefined {
  // A star stands for all of them, and for no part of one.
  if (!URL.canParse(text) || text.includes('*')) return undefined
  const { origin, protocol, host } = new URL(text)
  // Those of schemes that are not the web's, such as the pages of an app, are told by their text alone.
  if (origin !== 'null') return origin
  return ORIGIN.test(text) && protocol !== 'file:' && host !== '' ? text : undefined
}

/** Of whatever a node says. */
export function readCorsOrigins(said: unknown): readonly string[] {
  return Array.isArray(said) ? said.filter((each) => typeof each === 'string') : []
}
