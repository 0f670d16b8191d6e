import { Readable } from 'node:stream'
import { sampleFile, sampleRun } from '../store/contract/subject.test-kit.ts'
import type { NewFile } from '../store/files.ts'
import type { AcceptedRun, Store } from '../store/store.ts'
import { contentDigestOf } from './content-digest.test-kit.ts'
import { newName } from './file-place.test-kit.ts'
import type { FilePlace } from './file-place.ts'

/** A run that was accepted with a file of these bytes. */
export async function acceptWithFile(
  { runs }: Pick<Store, 'runs'>,
  place: FilePlace,
  bytes: Uint8Array
): Promise<{ readonly file: NewFile; readonly run: AcceptedRun }> {
  const name = newName()
  await place.write(name, Readable.from([bytes]))
  const digest = contentDigestOf(bytes)
  const file = sampleFile({ name, digest, size: bytes.length })
  return { file, run: await runs.accept(sampleRun({ files: [file] })) }
}
