import {
  atOnce,
  BoundedText,
  inField,
  isPlainObject,
  type JsonValue,
  StepError,
  type Template,
  type TemplateScope,
  type TemplateTree,
  type Turns,
  writeJsonTo
} from '../../plugin-api.ts'

interface UrlTemplates {
  readonly url: Template
  readonly query: TemplateTree | undefined
  /** Whether the URL may be a path that follows the address of a connection. */
  readonly hasConnection: boolean
}

/** In characters. Few servers take 16,000, and no list of parameters is to fill the memory before one refuses it. */
export const LONGEST_URL = 64 * 1024

/** The URL of the request as it is sent, or the path of one below the address of the connection. */
export function buildUrl({ url, query, hasConnection }: UrlTemplates, scope: TemplateScope): string {
  const written = inField('url', () => renderUrl(url, hasConnection, scope)).trim()
  if (!hasConnection && !/^https?:\/\//i.test(written)) throw notWhole(written)
  const parameters =
    query === undefined
      ? undefined
      : inField('query', () => query.render(scope.data, scope.variables, LONGEST_URL))
  return isPlainObject(parameters) ? inField('query', () => withParameters(written, parameters)) : written
}

/**
 * A value is one piece of the URL, whatever it holds: no slash or question mark of it leads elsewhere. The exceptions are
 * a value that the URL begins with where no connection does, or that begins it and is a whole address itself, such as a link
 * from an answer; and one that says so: `{path:raw}`.
 */
function renderUrl(template: Template, hasConnection: boolean, { data, variables }: TemplateScope): string {
  const [before = '', ...after] = template.literals
  const isWhole = before === '' && after.length === 1 && after[0] === ''
  const encode = (printed: string, value: unknown, place: number, isRaw: boolean) => {
    if (printed === '' && value !== undefined && !isRaw && isWholePiece(template.literals, place))
      throw emptyPiece()
    const isBeginning = place === 0 && before === ''
    const isLink = isBeginning && /^https?:\/\//i.test(printed)
    const isPath = isWhole && printed.startsWith('/')
    return isRaw || isLink || isPath || (isBeginning && !hasConnection) ? printed : encodePiece(printed)
  }
  return template.renderEncoded(encode, data, variables, LONGEST_URL)
}

/** Whether it stands alone between two slashes of the path, or behind the last: without it the URL is that of what is above. */
function isWholePiece(literals: readonly string[], place: number): boolean {
  const before = literals.slice(0, place + 1).join('')
  return before.endsWith('/') && !/[?#]/.test(before) && /^(?:$|[/?#])/.test(literals[place + 1]!)
}

function emptyPiece(): StepError {
  return new StepError(
    'Field "url": a value is empty, and without it the URL would lead to what is above. Check what the data holds, or write {…:raw} where it may be empty.',
    { code: 'url_invalid', retryable: false }
  )
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
  const more = atOnce(encodeForm(parameters, LONGEST_URL))
  if (more === '') return url
  const hash = url.indexOf('#')
  const [whole, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)]
  const joint = !whole.includes('?') ? '?' : /[?&]$/.test(whole) ? '' : '&'
  return whole + joint + more + fragment
}

/** Names and values as forms and queries write them; a list gives its name once per item, null gives nothing. */
export function* encodeForm(values: { readonly [name: string]: JsonValue }, most: number): Turns<string> {
  const form = new BoundedText(most)
  for (const [name, value] of Object.entries(values)) {
    const start = `${encodeText(name)}=`
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue
      const printed = yield* printedWithin(item, most)
      form.add(`${form.length === 0 ? '' : '&'}${start}${encodeText(printed)}`)
      if (form.isTurnOver(16)) yield
    }
  }
  return form.toString()
}

/** A value as a template prints it. Throws TextTooLong where it has more characters. */
export function* printedWithin(value: JsonValue, most: number): Turns<string> {
  const text = new BoundedText(most)
  if (typeof value === 'string') text.add(value)
  else if (value !== null) yield* writeJsonTo(text, value)
  return text.toString()
}

function notWhole(url: string): StepError {
  const shown = JSON.stringify(url.slice(0, 200))
  return new StepError(
    `Field "url": ${shown} is not a complete URL. Begin it with http:// or https://, or choose a connection whose address it follows.`,
    { code: 'url_invalid', retryable: false }
  )
}
