import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../startup/config.ts'
import { keyFileIn } from '../startup/secret-key-file.ts'
import { backUpStore } from '../store/sqlite/upkeep/back-up-store.ts'
import { count, countOf } from './progress.ts'
import { CommandError } from './read-command.ts'

/** Copies the embedded store into a file. Returns what to tell whoever asked for it. */
export function backUp(
  config: Pick<Config, 'home' | 'database' | 'secretKey'>,
  file: string,
  workingFolder: string
): string {
  if (config.database !== null) {
    throw new CommandError(
      'DATABASE_URL is set, and PostgreSQL has its own tool: pg_dump --format=custom --file=millrace.dump "$DATABASE_URL". See docs/operator-guide.md.'
    )
  }
  const path = resolve(workingFolder, file)
  const { bytes, flows, runs } = backUpStore(config.home, path)
  return `The store in ${config.home} is saved in ${path}: ${countOf(flows, 'flow')}, ${countOf(runs, 'run')}, ${count(Math.ceil(bytes / 1024))} KB.
To restore it, put it into a new folder as millrace.db and start Millrace with MILLRACE_HOME set to that folder.
${aboutKey(config)}`
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
