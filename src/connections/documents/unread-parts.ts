const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const NOTHING = 0x30

type Place = 'document' | 'paths' | 'path' | 'operation' | 'components' | 'elsewhere'

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'])

/** What nobody reads of an API that is only called: what it answers, and what it calls itself. */
const UNREAD: Readonly<Partial<Record<Place, ReadonlySet<string>>>> = {
  document: new Set(['webhooks', 'x-webhooks', 'responses']),
  components: new Set(['responses', 'examples', 'headers', 'links', 'callbacks', 'securitySchemes']),
  operation: new Set(['responses', 'callbacks'])
}

/** How references begin that lead into what is unread; some write JSON with a backslash before each slash. */
const LEADING_THERE = [
  'paths',
  ...UNREAD.document!,
  ...[...UNREAD.components!].map((name) => `components/${name}`)
].flatMap((path) => [`"#/${path}/`, `"#\\/${path.replace('/', '\\/')}\\/`])

/** A value that is left out: from, and up to. */
type Cut = readonly [from: number, to: number]

/**
 * The JSON of a document with 0 for what nobody reads of it, which is most of a large one; all of it where a reference leads there. What is
 * not JSON is not found here.
 */
export function withoutUnread(json: Buffer): Buffer {
  const cuts = [...cutsIn(json)]
  if (cuts.length === 0 || LEADING_THERE.some((text) => isOutside(text, cuts, json))) return json
  const left = Buffer.allocUnsafeSlow(json.length - cuts.reduce((sum, [from, to]) => sum + to - from - 1, 0))
  let [at, length] = [0, 0]
  for (const [from, to] of cuts) {
    length += json.copy(left, length, at, from)
    left[length++] = NOTHING
    at = to
  }
  json.copy(left, length, at)
  return left
}

function isOutside(text: string, cuts: readonly Cut[], json: Buffer): boolean {
  let next = 0
  for (let at = json.indexOf(text); at !== -1; at = json.indexOf(text, at + 1)) {
    while (next < cuts.length && cuts[next]![1] <= at) next++
    const cut = cuts[next]
    if (cut === undefined || at < cut[0]) return true
    at = cut[1] - 1
  }
  return false
}

function* cutsIn(json: Buffer): Generator<Cut> {
  /** Of the objects that are open, from the outside in. */
  const places: Place[] = []
  let inside: Place = 'document'
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      places.push(byte === OPEN_OBJECT ? inside : 'elsewhere')
      inside = 'elsewhere'
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) places.pop()
    if (byte !== QUOTE) continue
    const member = memberAt(json, at, places.at(-1))
    at = member.at
    if (member.name === undefined) continue
    inside = placeOf(member.place, member.name)
    if (UNREAD[member.place]?.has(member.name) !== true) continue
    const to = endOfValue(json, at + 1)
    yield [at + 1, to]
    at = to - 1
  }
}

/** What begins with this quote: a name before its value, or another text; and where that ends. */
type Member = { readonly at: number } & (
  | { readonly name: string; readonly place: Place }
  | { readonly name?: undefined }
)

function memberAt(json: Buffer, quote: number, place: Place | undefined): Member {
  const end = endOfText(json, quote)
  if (place === undefined || place === 'elsewhere') return { at: end }
  const colon = pastSpace(json, end + 1)
  if (json[colon] !== COLON) return { at: end }
  return { at: pastSpace(json, colon + 1) - 1, name: json.toString('latin1', quote + 1, end), place }
}

function pastSpace(json: Buffer, from: number): number {
  let at = from
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++
  return at
}

function placeOf(place: Place, name: string): Place {
  if (place === 'document') return name === 'paths' || name === 'components' ? name : 'elsewhere'
  if (place === 'paths') return 'path'
  return place === 'path' && METHODS.has(name) ? 'operation' : 'elsewhere'
}

function endOfValue(json: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    const byte = json[at]!
    if (byte === QUOTE) at = endOfText(json, at)
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return at
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--
  }
  return json.length
}

/** Where its closing quote is. */
export function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
