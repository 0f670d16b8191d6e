import { randomUUID } from 'node:crypto'
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../../store/sqlite/file/make-folder.ts'
import { CommandError } from '../../command-error.ts'
import { fileFault } from '../../file-fault.ts'
import type { Env } from '../outside.ts'

export interface Profile {
  readonly url: string
  readonly key: string
}

export interface Profiles {
  /** The one in use where none is named. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

const NONE: Profiles = { current: null, profiles: {} }
const FOR_OTHERS = 0o077

/** Where the system keeps what programs are set up with. */
export function profilePath(env: Env, home: string, platform: NodeJS.Platform): string {
  const system = platform === 'win32' ? env.APPDATA : undefined
  return join(env.XDG_CONFIG_HOME || system || join(home, '.config'), 'millrace', 'profiles.json')
}

/** Refuses a file that others may read: whoever can, has the keys. */
export async function readProfiles(path: string): Promise<Profiles> {
  const text = await readOwn(path)
  if (text === undefined) return NONE
  try {
    const { current, profiles } = JSON.parse(text) as Partial<Profiles>
    const kept = Object.entries(profiles ?? {}).filter(([, { url, key }]) => isText(url) && isText(key))
    return { current: isText(current) ? current : null, profiles: Object.fromEntries(kept) }
  } catch {
    throw new CommandError(`${path} cannot be read as profiles. Mend or remove it, then use millrace login.`)
  }
}

/** All or nothing: whoever reads meanwhile gets the file of before. */
export async function writeProfiles(path: string, profiles: Profiles): Promise<void> {
  const next = `${path}.${randomUUID()}`
  try {
    makeFolder(dirname(path))
    await writeFile(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
    // What the process masks away does not make it readable for others, and never unreadable for its owner.
    await chmod(next, 0o600)
    await rename(next, path)
  } catch (error) {
    await rm(next, { force: true })
    throw new CommandError(`The profile cannot be kept in ${path}: ${fileFault(error)}.`)
  }
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & FOR_OTHERS) !== 0)
      throw new CommandError(`Others may read ${path}, which holds keys. Remedy: chmod 600 ${path}`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof CommandError) throw error
    throw new CommandError(`${path} cannot be read: ${fileFault(error)}.`)
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
