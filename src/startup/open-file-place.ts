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

/** Where the bytes of files lie: in the object store that the configuration names, else where the store is. */
export async function openFilePlace({ config, fileParts, onFault }: PlaceOptions): Promise<FilePlace> {
  const { files, home } = config
  if (files !== null) return openObjectStore(files, onFault)
  if (fileParts !== undefined) return createDatabasePlace(fileParts)
  const folder = filesFolder(home)
  makeDurably(folder)
  return tellFaults(createFolderPlace(folder), folder, onFault)
}

export function filesFolder(home: string): string {
  return join(home, 'files')
}

/** Says at once that a bucket or a key is wrong: the first to notice would be a sender, and nobody would tell the operator. */
async function openObjectStore(
  config: ObjectStoreConfig,
  onFault: PlaceOptions['onFault']
): Promise<FilePlace> {
  try {
    // What is wrong is said once, by the start that it stops.
    await tryPlace(await objectStorePlace(config))
    return objectStorePlace(config, onFault)
  } catch (error) {
    throw new MillraceError('config_invalid', `MILLRACE_FILES: ${messageOf(error)}`, { cause: error })
  }
}

/** Loaded only by who uses it, as the driver of PostgreSQL is. */
export async function objectStorePlace(
  config: ObjectStoreConfig,
  onFault?: PlaceOptions['onFault']
): Promise<FilePlace> {
  const { createObjectStorePlace } = await import('../files/object-store-place.ts')
  const { url, accessKeyId, secretAccessKey, sessionToken } = config
  const address = readObjectStoreAddress(url)
  const place = createObjectStorePlace({
    ...address,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== null && { sessionToken }),
    spool: tmpdir()
  })
  return tellFaults(place, `${address.url}/${address.prefix}`, onFault)
}

function makeDurably(folder: string): void {
  makeFolder(folder)
  const above = openSync(dirname(folder), 'r')
  fsyncSync(above)
  closeSync(above)
}
