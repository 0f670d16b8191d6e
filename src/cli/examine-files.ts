import { messageOf } from '../errors.ts'
import { FileMissing, type FilePlace } from '../files/file-place.ts'
import { UNNAMED_FOR_MS } from '../files/file-sweep.ts'
import { tryPlace } from '../files/try-place.ts'
import type { Config } from '../startup/config.ts'
import { filePlaceOf } from '../startup/open-file-place.ts'
import type { StoredBytes } from '../store/files.ts'
import { type Finding, fault, ok } from '../store/finding.ts'
import { openStoredFiles } from '../store/postgres/upkeep/stored-files.ts'
import { storedBytes } from '../store/sqlite/upkeep/stored-bytes.ts'
import { count, countOf } from './progress.ts'

type FilesConfig = Pick<Config, 'home' | 'database' | 'files'>

/** Whether the bytes of all files are where the store says; bytes themselves are not read. */
export async function examineFiles(config: FilesConfig, now: () => number): Promise<Finding[]> {
  try {
    return await look(config, now)
  } catch (error) {
    return [fault('files', messageOf(error), 'Fix that, then run doctor again.')]
  }
}

async function look(config: FilesConfig, now: () => number): Promise<Finding[]> {
  const { home, database, files } = config
  const stored = database === null ? undefined : await openStoredFiles(database.url)
  try {
    if (database !== null && stored === undefined) return []
    const { place, where } = await filePlaceOf(config, stored?.fileParts)
    if (files !== null) await tryPlace(place)
    return [await compare({ bytes: stored?.bytes() ?? storedBytes(home), place, where, now: now() })]
  } finally {
    await stored?.close()
  }
}

interface Compared {
  readonly bytes: AsyncIterable<StoredBytes>
  readonly place: FilePlace
  readonly where: string
  readonly now: number
}

/** First what lies there, then the rows: a service may be running, and what it stores meanwhile is looked for once more. */
async function compare({ bytes, place, where, now }: Compared): Promise<Finding> {
  const strays = new Map<string, number>()
  for await (const { name, writtenAt } of place.names()) strays.set(name, writtenAt)
  const missing: string[] = []
  let files = 0
  let sum = 0
  for await (const { name, size } of bytes) {
    files += 1
    sum += size
    if (!strays.delete(name) && !(await isThere(place, name))) missing.push(name)
  }
  const old = [...strays.values()].filter((writtenAt) => writtenAt < now - UNNAMED_FOR_MS).length
  const leftOver = old === 0 ? '' : `; ${count(old)} left over, which a service removes within hours`
  const told = `${countOf(files, 'file')}, ${inMB(sum)}, in ${where}${leftOver}`
  if (missing.length === 0) return ok('files', told)
  return fault(
    'files',
    `of ${told}: the bytes of ${countOf(missing.length, 'file')} are not there (${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''})`,
    'Set MILLRACE_FILES and MILLRACE_HOME to where they were stored, or restore these bytes from a backup.'
  )
}

async function isThere(place: FilePlace, name: string): Promise<boolean> {
  try {
    ;(await place.read(name)).destroy()
    return true
  } catch (error) {
    if (error instanceof FileMissing) return false
    throw error
  }
}

function inMB(bytes: number): string {
  return `${count(Math.ceil(bytes / 1024 / 1024))} MB`
}
