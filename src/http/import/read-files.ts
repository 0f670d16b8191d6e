import type { Turns } from '../../flows/in-turns.ts'
import type { Imported, ImportedFlow, ImportHelp } from '../../import/imported-flow.ts'
import { readImport, UnknownFormat } from '../../import/read-import.ts'
import { inFile, readSentFile, type SentFile, unknownFormat } from './read-file.ts'

/** Of all files together: each is saved, and told with all that became of it. */
const MOST_FLOWS = 5_000

/** What is in the files; of an archive, those that are no flows are passed over. */
export function* readFiles(
  files: readonly SentFile[],
  help: ImportHelp
): Turns<Imported & { readonly leftOut: readonly string[] }> {
  const flows: ImportedFlow[] = []
  const leftOut: string[] = []
  let format: string | undefined
  let why = ''
  for (const file of files) {
    const read = yield* readSentFile(file)
    try {
      const imported = yield* readImport(read.content, help)
      format ??= imported.format
      flows.push(...imported.flows)
      if (flows.length > MOST_FLOWS)
        throw unknownFormat(`The files have more than ${MOST_FLOWS} flows, which are the most at once.`)
      if (read.leftOut !== '') leftOut.push(read.leftOut)
    } catch (error) {
      if (!(error instanceof UnknownFormat)) throw error
      why ||= `${inFile(file.name)} is no flow: ${error.message}.`
    }
  }
  if (format === undefined) throw unknownFormat(why)
  return { format, flows, leftOut }
}
