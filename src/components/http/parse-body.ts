import { isUtf8 } from 'node:buffer'
import { charsetInside, type JsonValue, parseJsonInTurns, StepError, type Turns } from '../../plugin-api.ts'
import type { RESPONSE_TYPES } from './fields.ts'

export type ResponseType = (typeof RESPONSE_TYPES)[number]

/** Deep enough for anybody, with room for what the output wraps around it. */
const DEEPEST = 900

const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/
const TEXT_TYPE =
  /^text\/|^application\/(?:[\w.-]+\+)?(?:xml|yaml|x-yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|sql|toml|x-ndjson|jsonl|jsonlines)$/

interface BodyToParse {
  readonly bytes: Buffer
  readonly contentType: string | undefined
  readonly as: ResponseType
  readonly status: number
}

/**
 * The body by its type: JSON as its value, text as text, bytes as an object with their base64; null where there is
 * none.
 */
export function* parseBody({ bytes, contentType = '', as, status }: BodyToParse): Turns<JsonValue> {
  if (bytes.byteLength === 0) return null
  const kind = as === 'Auto' ? kindOf(contentType, bytes) : as
  if (kind === 'Binary')
    return { base64: bytes.toString('base64'), content_type: contentType, size: bytes.byteLength }
  const text = yield* decode(bytes, charsetOf(contentType, bytes))
  if (kind === 'Text') return text
  return kind === 'Guess'
    ? yield* guess(text)
    : yield* readJson(text, contentType, { isSure: as === 'JSON' || status < 400 })
}

/** Pages and feeds may say it themselves, and may say what is not so any more. */
function charsetOf(contentType: string, bytes: Uint8Array): string | undefined {
  const parameters = contentType.toLowerCase().split(';').slice(1)
  const said = parameters
    .map((each) => /^\s*charset="?([\w.:-]+)"?\s*$/.exec(each)?.[1])
    .find((each) => each !== undefined)
  return said ?? (isUtf8(bytes) ? undefined : charsetInside(bytes))
}

/** Whether it is taken as bytes that are no text; where its type is not named, as far as these bytes of it tell. */
export function isBinary(contentType: string | undefined, as: ResponseType, bytes?: Uint8Array): boolean {
  return (as === 'Auto' ? kindOf(contentType ?? '', bytes) : as) === 'Binary'
}

function kindOf(contentType: string, bytes?: Uint8Array): 'JSON' | 'Text' | 'Guess' | 'Binary' {
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (JSON_TYPE.test(type)) return 'JSON'
  if (TEXT_TYPE.test(type)) return 'Text'
  return type === '' && bytes?.includes(0) !== true ? 'Guess' : 'Binary'
}

/** Whoever names no type mostly sends JSON. */
function* guess(text: string): Turns<JsonValue> {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return yield* parseJsonInTurns(text, DEEPEST)
  } catch {
    return text
  }
}

/** An error page is often labelled JSON without being JSON: there the status is what matters. */
function* readJson(
  text: string,
  contentType: string,
  { isSure }: { readonly isSure: boolean }
): Turns<JsonValue> {
  try {
    return yield* parseJsonInTurns(text, DEEPEST)
  } catch (error) {
    if (!isSure) return text
    const named = contentType === '' ? '' : `, though it is named ${contentType}`
    throw new StepError(
      `The answer is not JSON${named}: ${(error as Error).message}. It begins with ${JSON.stringify(text.slice(0, 100))}. Choose the response type Text to take it as it is.`,
      { code: 'response_not_json', retryable: false, cause: error }
    )
  }
}

/** Bytes that are decoded at once: a few milliseconds, whatever the charset. */
const PIECE = 256 * 1024

function* decode(bytes: Buffer, charset = 'utf-8'): Turns<string> {
  const decoder = decoderFor(charset)
  if (bytes.byteLength <= PIECE) return decoder.decode(bytes)
  const pieces: string[] = []
  for (let from = 0; from < bytes.byteLength; from += PIECE) {
    pieces.push(decoder.decode(bytes.subarray(from, from + PIECE), { stream: true }))
    yield
  }
  return pieces.join('') + decoder.decode()
}

function decoderFor(charset: string) {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
