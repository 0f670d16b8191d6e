import { MillraceError, messageOf } from '../../errors.ts'
import { IMPORT_BODY } from '../requests/body-limits.ts'

/** What reaches others for the service, and judges every address. */
export interface Outside {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
}

/** Whoever sends it waits. */
const MOST_MS = 20_000
/** No flow is as short: `{"url": "https://…"}`, and nothing else, asks for a file that lies there. */
const LONGEST = 3_000

/** The address that a body names in place of a file; undefined where it is a file itself. */
export function addressIn(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength > LONGEST) return undefined
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined
    const members = Object.entries(read)
    const [name, value] = members[0] ?? []
    return members.length === 1 && name === 'url' && typeof value === 'string' ? value.trim() : undefined
  } catch {
    return undefined
  }
}

/** The file at an address. Throws a MillraceError that says why there is none. */
export async function fetchFile(address: string, outside: Outside): Promise<Uint8Array> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw unreachable(
      `${JSON.stringify(address.slice(0, 200))} is not an address: it must begin with https://.`
    )
  try {
    const answer = await outside.fetch(address, {
      headers: { accept: 'application/json, application/zip, */*' },
      signal: AbortSignal.timeout(MOST_MS)
    })
    if (answer.ok) return await bytesWithin(answer)
    void answer.body?.cancel()
    throw unreachable(`It answered with the status ${answer.status}.`)
  } catch (error) {
    if (error instanceof MillraceError) throw error
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    throw unreachable(isLate ? `It took longer than ${MOST_MS / 1000} seconds.` : messageOf(causeOf(error)))
  }
}

/** What fetch throws says only that it failed. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}

async function bytesWithin(answer: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of answer.body ?? []) {
    size += piece.byteLength
    if (size > IMPORT_BODY)
      throw unreachable(`It is larger than ${IMPORT_BODY / 1024 ** 2} MB, which is the most that is read.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function unreachable(why: string): MillraceError {
  return new MillraceError('import_unreachable', `No file came from the address. ${why}`)
}
