import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every file in a folder and below, by its path there. */
export function readFolder(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile()
  )
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))])
  )
}
