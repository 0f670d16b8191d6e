import { realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { MillraceError } from '../errors.ts'
import type { Connection } from './connection.ts'

type FileConnection = Pick<Connection, 'kind' | 'settings' | 'isTrusted' | 'name'>

/**
 * A connection to a file of this machine opens what the service itself can open. So only somebody who may administer
 * the root names it, and never one of the service's own files, which hold everybody's runs, keys and secrets. Throws
 * where that does not hold; asked when it is written and again when it is opened, since links may have changed.
 */
export function assertFileAllowed({ kind, settings, isTrusted, name }: FileConnection, home: string): void {
  if (kind !== 'sqlite') return
  if (!isTrusted) {
    throw new MillraceError(
      'forbidden',
      `The connection "${name}" names a file of the machine that Millrace runs on. Let somebody with the right "admin" for the root save it.`
    )
  }
  const file = String(settings.file)
  if (isMemory(file)) {
    throw new MillraceError(
      'connection_invalid',
      `"${file}" is not a file: what is in memory would be gone from one step to the next. Write the path of a file.`
    )
  }
  if (!isInside(realPath(resolve(file)), realPath(resolve(home)))) return
  throw new MillraceError(
    'connection_invalid',
    `"${file}" lies in the folder of Millrace's own files, which no step may open. Choose a file in another folder.`
  )
}

function isMemory(file: string): boolean {
  return file.trim() === '' || file.includes(':memory:')
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !way.startsWith('/'))
}

/** With links followed, as far as there is something. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), path.slice(parent.length))
  }
}
