import { closeSync, fsyncSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MillraceError, messageOf } from '../errors.ts'
import { createDatabasePlace } from '../files/database-place.ts'
import type { FilePlace } from '../files/file-place.ts'
import { createFolderPlace } from '../files/folder-place.ts'
import { readObjectStoreAddress } from '../files/object-store-address.ts'
import { tellFaults } from '../files/place-faults.ts'
import { tryPlace } from '../files/try-place.ts'
import type { FileParts } from '../store/file-parts.ts'
import { makeFolder } from '../store/sqlite/file/make-folder.ts'
import type { Config, ObjectStoreConfig } from './config.ts'

interface PlaceOptions {
  readonly config: Pick<Config, 'home' | 'files'>
  /** Absent where the store is the embedded one. */
  readonly fileParts?: FileParts | undefined
  readonly onFault?: (error: MillraceError) => void
}

/** Where the bytes of files lie. Says at once that a bucket or a key is wrong: else senders would be the first to notice. */
export async function openFilePlace({ config, fileParts, onFault }: PlaceOptions): Promise<FilePlace> {
  if (config.files !== null) {
    try {
      // What is wrong is said once, by the start that it stops.
      await tryPlace((await filePlaceOf(config, fileParts)).place)
    } catch (error) {
      throw new MillraceError('config_invalid', `MILLRACE_FILES: ${messageOf(error)}`, { cause: error })
    }
  } else if (fileParts === undefined) makeDurably(filesFolder(config.home))
  return (await filePlaceOf(config, fileParts, onFault)).place
}

/** In the object store that the configuration names, else where the store is. Nothing is made or tried. */
export async function filePlaceOf(
  { files, home }: PlaceOptions['config'],
  fileParts?: FileParts,
  onFault?: PlaceOptions['onFault']
): Promise<{ readonly place: FilePlace; readonly where: string }> {
  if (files !== null) {
    const { url, prefix } = readObjectStoreAddress(files.url)
    const where = `${url}/${prefix}`
    return { place: tellFaults(await objectStore(files), where, onFault), where }
  }
  if (fileParts !== undefined) return { place: createDatabasePlace(fileParts), where: 'the database' }
  const where = filesFolder(home)
  return { place: tellFaults(createFolderPlace(where), where, onFault), where }
}

export function filesFolder(home: string): string {
  return join(home, 'files')
}

/** Loaded only by who uses it, as the driver of PostgreSQL is. */
async function objectStore(config: ObjectStoreConfig): Promise<FilePlace> {
  const { createObjectStorePlace } = await import('../files/object-store-place.ts')
  const { url, accessKeyId, secretAccessKey, sessionToken } = config
  return createObjectStorePlace({
    ...readObjectStoreAddress(url),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== null && { sessionToken }),
    spool: tmpdir()
  })
}

function makeDurably(folder: string): void {
  makeFolder(folder)
  const above = openSync(dirname(folder), 'r')
  fsyncSync(above)
  closeSync(above)
}
