import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Migration {
  /** From the file's name, which begins with it. Version n is reached by applying 1 to n. */
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** The numbered files of one store, in order. */
export function readMigrationFiles(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name, index) => {
    const version = Number.parseInt(name, 10)
    if (version !== index + 1)
      throw new Error(`${name} should be migration ${index + 1}: numbers have no gaps`)
    return { version, name, sql: readFileSync(join(folder, name), 'utf8') }
  })
}
