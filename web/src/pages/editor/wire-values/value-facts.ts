import { asFile } from '../../../../../src/flows/file-value.ts'
import { ExactNumber, type JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { jsonPieces } from '../../../../../src/flows/json/json-pieces.ts'
import { byteSize } from '../../../design/byte-size.ts'
import { counted } from '../../../design/counted.ts'

/** A value at a glance. */
interface ValueFacts {
  /** "object with 3 keys", "list of 12", "text", "file". */
  readonly kind: string
  /** "18 bytes", "more than 1 MB". */
  readonly size: string
  /** As much of it as can be taken in at once. */
  readonly beginning: string
  readonly isCut: boolean
}

const MOST_LINES = 9
const MOST_CHARACTERS = 420

/** Whoever points at a wire wants to know that it is much, not how much; to count on would hold up the page. */
const MOST_COUNTED = 1_000_000

export function factsOf(value: JsonValue): ValueFacts {
  const file = asFile(value)
  if (file !== undefined) {
    const { filename, content_type, size } = file
    return { kind: 'file', size: byteSize(size), beginning: `${filename}\n${content_type}`, isCut: false }
  }
  const text = typeof value === 'string' ? value : writtenTo(MOST_CHARACTERS, value)
  const lines = text.split('\n', MOST_LINES + 1)
  const short = lines.slice(0, MOST_LINES).join('\n').slice(0, MOST_CHARACTERS)
  return { kind: kindOf(value), size: sizeOf(value), beginning: short, isCut: short.length < text.length }
}

/** The beginning of its JSON, and one character more where there is more. */
function writtenTo(most: number, value: JsonValue): string {
  let text = ''
  for (const piece of jsonPieces(value, { indent: 2 })) {
    text += piece
    if (text.length > most) break
  }
  return text
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `list of ${value.length}`
  if (typeof value === 'string') return 'text'
  if (typeof value !== 'object' || value instanceof ExactNumber)
    return typeof value === 'boolean' ? 'boolean' : 'number'
  return `object with ${counted(Object.keys(value).length, 'key')}`
}

function sizeOf(value: JsonValue): string {
  const encoder = new TextEncoder()
  let bytes = 0
  for (const piece of typeof value === 'string' ? [value] : jsonPieces(value)) {
    bytes += encoder.encode(piece).length
    if (bytes > MOST_COUNTED) return 'more than 1 MB'
  }
  return byteSize(bytes)
}
