import { StepError, TURN_WORK, type Turns } from '../../plugin-api.ts'

export function encodeBase64(content: string | Uint8Array): string {
  return Buffer.from(content as string).toString('base64')
}

/** Also the alphabet of URLs, and broken into lines. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

export function* decodeBase64(text: string): Turns<string> {
  const bytes = yield* bytesOfBase64(text)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw invalid(
      'The bytes in this Base64 are not text in UTF-8: they may be a picture. Only text can be decoded.',
      error
    )
  }
}

/** What an address begins with that holds a file itself, such as that of a picture in a page. */
const DATA_ADDRESS = /^\s*data:[^,]{0,1000};\s*base64,/i

export function* bytesOfBase64(text: string): Turns<Uint8Array> {
  const packed = yield* withoutSpaces(text.replace(DATA_ADDRESS, ''))
  if (!BASE64.test(packed) || packed.replace(/=+$/, '').length % 4 === 1) {
    throw invalid(
      'This is not Base64. It has letters, digits, + and / only, and = at its end. Look at what was sent.'
    )
  }
  yield
  return Buffer.from(packed, 'base64')
}

/** Each may stand alone: to find a million of them takes a while. */
function* withoutSpaces(text: string): Turns<string> {
  if (text.length <= TURN_WORK) return text.replace(/\s+/g, '')
  const pieces: string[] = []
  for (let from = 0; from < text.length; from += TURN_WORK) {
    pieces.push(text.slice(from, from + TURN_WORK).replace(/\s+/g, ''))
    yield
  }
  return pieces.join('')
}

function invalid(message: string, cause?: unknown): StepError {
  return new StepError(message, { code: 'invalid_base64', retryable: false, cause })
}
