import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { BadDocument, brokenDocument } from '../document-fault.ts'

export interface Zip {
  readonly names: readonly string[]
  /** Two entries have this name, of which the last is read; undefined where each has its own. */
  readonly repeated: string | undefined
  /** One entry as UTF-8. Throws where it is not there. */
  text(name: string): Promise<string>
}

/** In bytes. */
interface MostUnpacked {
  readonly together: number
  readonly part: number
}

/** All entries together may unpack to so much; memory is watched besides. */
const MOST_UNPACKED = 256 * 1024 ** 2
/** And a part that is read as one text. */
const MOST_OF_PART = 64 * 1024 ** 2
const MOST_ENTRIES = 20_000

/** Its directory, read first: what says itself that it is too large is not unpacked. That an entry is not longer than it says, yauzl checks. */
export async function readZip(
  bytes: Uint8Array,
  most: MostUnpacked = { together: MOST_UNPACKED, part: MOST_OF_PART }
): Promise<Zip> {
  try {
    const { zip, entries } = await directoryOf(bytes)
    assertSize(entries, most.together)
    const byName = new Map(entries.map((entry) => [entry.fileName, entry]))
    return {
      names: [...byName.keys()],
      repeated: entries.find((entry) => byName.get(entry.fileName) !== entry)?.fileName,
      text: async (name) => {
        const entry = byName.get(name)
        if (entry === undefined) throw new Error(`it has no part ${name}`)
        return unpacked(zip, entry, most.part)
      }
    }
  } catch (error) {
    throw brokenDocument('a ZIP archive', error)
  }
}

async function directoryOf(bytes: Uint8Array): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const open = promisify(fromBuffer) as (buffer: Buffer, options: object) => Promise<ZipFile>
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const zip = await open(buffer, { lazyEntries: true, autoClose: false })
  const entries: Entry[] = []
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      if (entries.push(entry) > MOST_ENTRIES) reject(new Error(`it has more than ${MOST_ENTRIES} entries`))
      else zip.readEntry()
    })
    zip.readEntry()
  })
  return { zip, entries }
}

function assertSize(entries: readonly Entry[], most: number): void {
  if (entries.some((entry) => entry.isEncrypted()))
    throw new BadDocument(
      'document_encrypted',
      'The archive is protected by a password. Save it without one and send it again.'
    )
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (unpacked > most) throw tooLarge(unpacked, most)
}

function tooLarge(bytes: number, most: number): BadDocument {
  const megabytes = (count: number) => Math.ceil(count / 1024 ** 2)
  return new BadDocument(
    'document_too_large',
    `It would unpack to ${megabytes(bytes)} MB, and ${megabytes(most)} are the most. Send a smaller document, or a part of it.`
  )
}

async function unpacked(zip: ZipFile, entry: Entry, most: number): Promise<string> {
  if (entry.uncompressedSize > most) throw tooLarge(entry.uncompressedSize, most)
  const open = promisify(zip.openReadStream.bind(zip)) as (entry: Entry) => Promise<AsyncIterable<Uint8Array>>
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of await open(entry)) text += decoder.decode(piece, { stream: true })
  return text + decoder.decode()
}
