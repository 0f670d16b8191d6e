import type { Config } from '../startup/config.ts'
import { type CopyReport, copyStore } from '../store/copy/copy-store.ts'
import { openStoreImport, type StoreImport } from '../store/postgres/upkeep/import-store.ts'
import { openStoreExport, type StoreExport } from '../store/sqlite/upkeep/export-store.ts'
import { CommandError } from './command-error.ts'
import { openFileMove } from './move-files.ts'
import { count, countOf, type Output, showProgress } from './progress.ts'

export interface MigrateOrder {
  readonly config: Pick<Config, 'home' | 'database' | 'files'>
  /** Throws an unfinished copy away first. */
  readonly restart: boolean
  readonly output: Output
  /** Stops between two batches. */
  readonly signal: AbortSignal
}

/** Copies the embedded store into PostgreSQL. Returns what to tell whoever asked for it. */
export async function migrateStore({ config, restart, output, signal }: MigrateOrder): Promise<string> {
  if (config.database === null) {
    throw new CommandError(
      'Set DATABASE_URL to the empty database to copy to: postgres://user:password@host/database'
    )
  }
  const source = openStoreExport(config.home)
  let target: StoreImport | undefined
  const progress = showProgress(output)
  try {
    target = await openStoreImport(config.database.url)
    if (restart) await target.restart()
    const bytes = await openFileMove({ config, source, target, onProgress: progress.show, signal })
    const report = await copyStore({
      source,
      target,
      onProgress: progress.show,
      besides: () => bytes.move(),
      signal
    })
    progress.end()
    return tidings(source, target, report, bytes.tidings())
  } catch (error) {
    progress.end()
    if (!signal.aborted) throw error
    throw new CommandError('Stopped. What was copied is kept: the same command goes on from there.')
  } finally {
    source.close()
    await target?.close()
  }
}

function tidings(
  source: StoreExport,
  target: StoreImport,
  { parts, found }: CopyReport,
  ofFiles: string
): string {
  const rows = [...parts].map(([name, { rows, checksum }]) => {
    return `  ${name.replaceAll('_', ' ').padEnd(16)}${count(rows).padStart(12)}   ${checksum.slice(0, 16)}`
  })
  const earlier =
    found === 0
      ? ''
      : ` ${countOf(found, 'row')} ${found === 1 ? 'was' : 'were'} there from an earlier attempt.`
  return `The store in ${source.place} is copied to ${target.place}.${earlier}
Both were read through and compared: the same counts, the same checksums (SHA-256).

${rows.join('\n')}
${ofFiles}
Start Millrace with the same DATABASE_URL; unfinished runs go on there. The folder ${source.place} is as it was:
keep it until you trust the new store, and do not start Millrace on it again, or its unfinished runs run twice.
`
}
