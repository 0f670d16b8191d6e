import { readZip } from '../../documents/formats/zip.ts'
import { messageOf } from '../../errors.ts'
import { cutText } from '../../flows/template/quote-text.ts'
import { type SentFile, unknownFormat } from './read-file.ts'

/** Of an archive, unpacked. */
const MOST_BYTES = 32 * 1024 ** 2
const MOST_FILES = 500

/** Whether these are the bytes of a ZIP archive. */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04
}

/** The files of an archive that may be flows. What it says of their sizes is held against what comes. */
export async function unpack(bytes: Uint8Array): Promise<SentFile[]> {
  const zip = await readZip(bytes, { together: MOST_BYTES, part: MOST_BYTES }).catch(cannotUnpack)
  if (zip.repeated !== undefined)
    throw unknownFormat(
      `The archive has two files of the name ${JSON.stringify(cutText(zip.repeated, 200))}, and which of them is meant nobody can say.`
    )
  const names = zip.names.filter((name) => /\.json$/i.test(name) && !/(?:^|\/)(?:__MACOSX|\.)/.test(name))
  if (names.length === 0) throw unknownFormat('The archive has no file that ends with .json.')
  if (names.length > MOST_FILES)
    throw unknownFormat(`The archive has ${names.length} files, and ${MOST_FILES} are the most.`)
  const files: SentFile[] = []
  for (const name of names) files.push({ name, text: await zip.text(name).catch(cannotUnpack) })
  return files
}

function cannotUnpack(error: unknown): never {
  throw unknownFormat(`The archive cannot be unpacked: ${messageOf(error)}`)
}
