import { maySayCharset } from './in-utf8.ts'

/** How the body of a webhook is read. Whatever its type says, one that is JSON is the value. A `recoded` one is a text that may not be in UTF-8. */
type PayloadKind = 'text' | 'recoded' | 'form' | 'multipart' | 'bytes'

/** Types that are texts though they do not begin with that word. Their bytes are what people read. */
const TEXTS =
  /^(?:text\/|application\/(?:(?:x-)?(?:json|ndjson|jsonl|json-lines|yaml|toml|javascript|ecmascript|sql|sh|csv|graphql)|json5?|json-seq|xml|xml-dtd|jwt|jose|sdp)$|[^/]+\/[^/]+\+(?:json|xml|yaml|jwt|json-seq)$)/

const TYPE = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/

/** Senders write few types, so those that were read are remembered: this is asked for every webhook. */
const known = new Map<string, PayloadKind>()
const MOST_KNOWN = 1_000

export function payloadKind(contentType: string | undefined): PayloadKind {
  if (contentType === undefined) return 'text'
  let kind = known.get(contentType)
  if (kind === undefined) {
    kind = readKind(contentType)
    if (known.size < MOST_KNOWN && contentType.length <= 200) known.set(contentType, kind)
  }
  return kind
}

function readKind(contentType: string): PayloadKind {
  const type = TYPE.exec(contentType)?.[1]?.toLowerCase()
  // What names no type says as little as nothing.
  if (type === undefined) return 'text'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data') return 'multipart'
  // A character set is that of a text.
  if (!TEXTS.test(type) && !/;\s*charset\s*=/i.test(contentType)) return 'bytes'
  return maySayCharset(contentType) ? 'recoded' : 'text'
}

const ENDINGS: Readonly<Record<string, string>> = {
  'application/gzip': '.gz',
  'application/msword': '.doc',
  'application/pdf': '.pdf',
  'application/vnd.ms-excel': '.xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/zip': '.zip',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/wav': '.wav',
  'image/gif': '.gif',
  'image/heic': '.heic',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/svg+xml': '.svg',
  'image/tiff': '.tiff',
  'image/webp': '.webp',
  'video/mp4': '.mp4',
  'video/webm': '.webm'
}

/** What bytes are called that came by themselves: by the sender's word for them, else by their type. */
export function filenameOf(disposition: string | undefined, contentType: string): string {
  const said = namedIn(disposition ?? '')
  if (said !== '') return said
  const type = TYPE.exec(contentType)?.[1]?.toLowerCase() ?? ''
  return `payload${ENDINGS[type] ?? '.bin'}`
}

function namedIn(disposition: string): string {
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? []
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // Then by the plain one.
    }
  }
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? []
  // Node reads headers as Latin-1; senders write UTF-8 there.
  const name = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? ''
  const utf8 = Buffer.from(name, 'latin1').toString()
  return utf8.includes('\uFFFD') ? name : utf8
}
