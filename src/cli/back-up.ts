import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../startup/config.ts'
import { filesFolder } from '../startup/open-file-place.ts'
import { keyFileIn } from '../startup/secret-key-file.ts'
import { backUpStore } from '../store/sqlite/upkeep/back-up-store.ts'
import { FilesBackup, type SavedFiles } from './back-up-files.ts'
import { CommandError } from './command-error.ts'
import { count, countOf } from './progress.ts'

type BackedUp = Pick<Config, 'home' | 'database' | 'secretKey' | 'files'>

/** Copies the embedded store into a file, and its files into a folder beside it. Returns what to tell whoever asked for it. */
export async function backUp(config: BackedUp, file: string, workingFolder: string): Promise<string> {
  if (config.database !== null) {
    throw new CommandError(
      'DATABASE_URL is set, and PostgreSQL has its own tool: pg_dump --format=custom --file=millrace.dump "$DATABASE_URL". See docs/operator-guide.md.'
    )
  }
  const path = resolve(workingFolder, file)
  const folder = `${path}.files`
  const beside = config.files === null ? new FilesBackup(filesFolder(config.home), folder) : elsewhere
  const { bytes, flows, runs, files } = await backUpStore(config.home, path, beside)
  return `The store in ${config.home} is saved in ${path}: ${countOf(flows, 'flow')}, ${countOf(runs, 'run')}, ${inKB(bytes)}.
${aboutFiles(config, files, folder)}To restore it, put it into a new folder as millrace.db${files.count > 0 && config.files === null ? ', the folder of its files beside it as files,' : ''} and start Millrace with MILLRACE_HOME set to that folder.
${aboutKey(config)}`
}

/** An object store is saved by its own tools. */
const elsewhere = {
  before: async () => {},
  after: async (named: readonly { readonly size: number }[]): Promise<SavedFiles> => ({
    count: named.length,
    bytes: named.reduce((sum, { size }) => sum + size, 0),
    lost: []
  })
}

function aboutFiles({ files: config }: BackedUp, files: SavedFiles, folder: string): string {
  const { count: number, bytes, lost } = files
  if (config !== null) {
    return number === 0
      ? ''
      : `Its files (${countOf(number, 'file')}, ${inKB(bytes)}) are in the object store of MILLRACE_FILES, and not in it: save them there.\n`
  }
  const saved =
    number === 0 ? '' : `Its files are saved in ${folder}: ${countOf(number, 'file')}, ${inKB(bytes)}.\n`
  if (lost.length === 0) return saved
  return `${saved}Not saved, because they are missing or damaged in the store: ${countOf(lost.length, 'file')}. Run: millrace doctor\n`
}

function inKB(bytes: number): string {
  return `${count(Math.ceil(bytes / 1024))} KB`
}

/** Without its key a backup has no secrets: better said now than on the day of the restore. */
function aboutKey({ home, secretKey }: Pick<Config, 'home' | 'secretKey'>): string {
  if (secretKey !== null)
    return 'The secrets of connections in it are sealed: keep MILLRACE_SECRET_KEY, too.\n'
  const key = keyFileIn(home)
  return existsSync(key)
    ? `The secrets of connections in it are sealed: keep ${key}, too, and put it into that folder.\n`
    : ''
}
