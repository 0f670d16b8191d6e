import type { FileStore } from '../store/files.ts'
import type { FilePlace, WrittenName } from './file-place.ts'

interface FileSweepDeps {
  readonly store: Pick<FileStore, 'sweep' | 'knownNames'>
  readonly place: FilePlace
  readonly now: () => number
}

/** For so long an upload waits for a run, and bytes for their row. */
export const UNNAMED_FOR_MS = 86_400_000

/** Removes files that nobody names. */
export class FileSweep {
  readonly #deps: FileSweepDeps
  #listing: AsyncIterator<WrittenName> | undefined

  constructor(deps: FileSweepDeps) {
    this.#deps = deps
  }

  /**
   * Files that no run names, a day after they came. First the rows: from then on nobody can find the bytes, and those that are left,
   * because the process ends in between or the place is away, are strays.
   */
  async unnamed(slice: number): Promise<number> {
    const { store, place, now } = this.#deps
    const { files, names } = await store.sweep(now() - UNNAMED_FOR_MS, slice)
    await removeAll(place, names)
    return files
  }

  /**
   * Bytes that no row names, a day after they were written: of uploads that were cut off by the end of the process. Looks at the next
   * so many names at each call, and resolves to how many there were: fewer than the slice at the end of the list.
   */
  async strays(slice: number): Promise<number> {
    const { store, place, now } = this.#deps
    const seen = await this.#next(slice)
    const before = now() - UNNAMED_FOR_MS
    const old = seen.filter(({ writtenAt }) => writtenAt < before).map(({ name }) => name)
    if (old.length === 0) return seen.length
    const known = new Set(await store.knownNames(old))
    await removeAll(
      place,
      old.filter((name) => !known.has(name))
    )
    return seen.length
  }

  async #next(most: number): Promise<WrittenName[]> {
    this.#listing ??= this.#deps.place.names()[Symbol.asyncIterator]()
    const listing = this.#listing
    const seen: WrittenName[] = []
    try {
      while (seen.length < most) {
        const { done, value } = await listing.next()
        if (done === true) {
          this.#listing = undefined
          break
        }
        seen.push(value)
      }
    } catch (error) {
      this.#listing = undefined
      throw error
    }
    return seen
  }
}

const AT_A_TIME = 10

/** What cannot be removed now is found again: it is told when all others have been tried. */
async function removeAll(place: FilePlace, names: readonly string[]): Promise<void> {
  const failures: unknown[] = []
  for (let at = 0; at < names.length; at += AT_A_TIME) {
    const results = await Promise.allSettled(
      names.slice(at, at + AT_A_TIME).map((name) => place.remove(name))
    )
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason)
  }
  if (failures.length > 0) throw failures[0]
}
