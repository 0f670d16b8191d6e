import {
  inField,
  isPlainObject,
  type JsonValue,
  StepError,
  type Template,
  type TemplateScope,
  type TemplateTree,
  writeJson
} from '../../plugin-api.ts'

export interface UrlTemplates {
  readonly url: Template
  readonly query: TemplateTree | undefined
  /** Whether the URL may be a path that follows the address of a connection. */
  readonly hasConnection: boolean
}

/** The URL of the request as it is sent, or the path of one below the address of the connection. */
export function buildUrl({ url, query, hasConnection }: UrlTemplates, scope: TemplateScope): string {
  const written = inField('url', () => renderUrl(url, hasConnection, scope)).trim()
  if (!hasConnection && !/^https?:\/\//i.test(written)) throw notWhole(written)
  const parameters =
    query === undefined ? undefined : inField('query', () => query.render(scope.data, scope.variables))
  return isPlainObject(parameters) ? withParameters(written, parameters) : written
}

/**
 * A value is one piece of the URL, whatever it holds: no slash or question mark of it leads elsewhere. The exception is
 * a value that the URL begins with where no connection does, or that is the whole URL, such as a link from an answer.
 */
function renderUrl(template: Template, hasConnection: boolean, { data, variables }: TemplateScope): string {
  const [before = '', ...after] = template.literals
  const isWhole = before === '' && after.length === 1 && after[0] === ''
  const encode = (printed: string, _value: unknown, place: number) => {
    const isBeginning = place === 0 && before === ''
    const isLink = isWhole && /^(?:https?:\/\/|\/)/i.test(printed)
    return isLink || (isBeginning && !hasConnection) ? printed : encodePiece(printed)
  }
  return template.renderEncoded(encode, data, variables)
}

function encodePiece(printed: string): string {
  // The one thing that cannot be encoded: every reader of URLs takes %2e for a dot, and goes up with two of them.
  if (!/^\.+$/.test(printed)) return encodeText(printed)
  throw new StepError(
    `Field "url": a value is "${printed}", which would lead to another path. Check what the data holds.`,
    { code: 'url_invalid', retryable: false }
  )
}

/** A lone half of a surrogate pair has no encoding, and would throw. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Put behind the parameters that the URL has, before its fragment. */
export function withParameters(url: string, parameters: { readonly [name: string]: JsonValue }): string {
  const more = encodeForm(parameters)
  if (more === '') return url
  const hash = url.indexOf('#')
  const [whole, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)]
  const joint = !whole.includes('?') ? '?' : /[?&]$/.test(whole) ? '' : '&'
  return whole + joint + more + fragment
}

/** Names and values as forms and queries write them; a list gives its name once per item, null gives nothing. */
export function encodeForm(values: { readonly [name: string]: JsonValue }): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((item) => [name, item] as const))
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${encodeText(name)}=${encodeText(printed(value))}`)
    .join('&')
}

/** A value as a template prints it. */
export function printed(value: JsonValue): string {
  if (typeof value === 'string') return value
  return value === null ? '' : writeJson(value)
}

function notWhole(url: string): StepError {
  const shown = JSON.stringify(url.slice(0, 200))
  return new StepError(
    `Field "url": ${shown} is not a complete URL. Begin it with http:// or https://, or choose a connection whose address it follows.`,
    { code: 'url_invalid', retryable: false }
  )
}
