import { statSync } from 'node:fs'
import { MillraceError, messageOf } from '../../../errors.ts'
import { databasePath } from './database-file.ts'
import { isDamage, isStoreFault, storeUnwritable } from './unwritable.ts'

/**
 * Whether what is written would be kept. SQLite does not notice that its file was moved, deleted or replaced under a
 * running process, and takes every write into nowhere; and of damage it tells only whoever meets the page.
 *
 * Asked before every commit: two looks at the file system take 5 µs, a commit a hundred times as long.
 */
export class StoreCondition {
  readonly #folder: string
  readonly #files: readonly string[]
  /** Which files they were when they were seen first. */
  readonly #identities = new Map<string, string>()
  #damage: MillraceError | undefined

  constructor(folder: string) {
    this.#folder = folder
    const path = databasePath(folder)
    this.#files = [path, `${path}-wal`]
    this.refusal()
  }

  /** Why nothing may be written now; undefined where all is well. Files that are put back are taken again. */
  refusal(): MillraceError | undefined {
    if (this.#damage !== undefined) return this.#damage
    for (const path of this.#files) {
      const identity = identityOf(path)
      const known = this.#identities.get(path)
      if (known === undefined) {
        if (identity !== undefined) this.#identities.set(path, identity)
      } else if (identity !== known) return moved(path)
    }
    return undefined
  }

  /** From now on nothing is written: more damage would come of it, and what is told to be kept might not be. */
  foundDamage(what: string): void {
    this.#damage ??= new MillraceError(
      'store_unwritable',
      `The database in ${this.#folder} is damaged: ${what}. Nothing is written to it any more. ` +
        'Stop Millrace, keep a copy of the folder, check the disk and restore a backup.',
      { publicMessage: 'The database is damaged, and nothing is written to it any more.' }
    )
  }

  /** To be told of whatever a read or a commit failed with. Returns what callers are to get. */
  judge(error: unknown): unknown {
    const cause = error instanceof MillraceError ? error.cause : error
    if (isDamage(cause)) {
      this.foundDamage(messageOf(cause))
      return this.#damage
    }
    return isStoreFault(error) ? storeUnwritable(this.#folder, error) : error
  }
}

function moved(path: string): MillraceError {
  return new MillraceError(
    'store_unwritable',
    `The database file ${path} was moved or deleted while Millrace was running, so nothing can be kept. ` +
      'Put it back, and Millrace goes on; where it is gone, stop Millrace and restore a backup.',
    { publicMessage: 'The database file was moved or deleted while Millrace was running.' }
  )
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

/** The same functions; what they fail with is judged first. Those that are named go as they are. */
export function withJudgedErrors<T extends object>(
  family: T,
  condition: StoreCondition,
  except: readonly (keyof T & string)[] = []
): T {
  const judged = Object.entries(family).map(
    ([name, act]: [string, (...given: unknown[]) => Promise<unknown>]) => {
      if ((except as readonly string[]).includes(name)) return [name, act]
      const judging = async (...given: unknown[]) => {
        try {
          return await act(...given)
        } catch (error) {
          throw condition.judge(error)
        }
      }
      return [name, judging]
    }
  )
  return Object.fromEntries(judged) as T
}

export function withJudgedFamilies<T extends Readonly<Record<string, object>>>(
  families: T,
  condition: StoreCondition
): T {
  const judged = Object.entries(families).map(([name, family]) => [name, withJudgedErrors(family, condition)])
  return Object.fromEntries(judged) as T
}
