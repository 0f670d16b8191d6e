import type { FileStore } from '../store/files.ts'

/** How many bytes of files there are, each content counted once. */
interface FileFigures {
  readonly count: number
  readonly bytes: number
}

/** Of an embedded store the thread waits for this: some 20 ms. */
const SLICE = 20_000
/** Where it takes several slices, whoever asks gets what was counted up to so long ago. */
const GOOD_FOR_MS = 300_000

/** Counts them for who asks. */
export class FileCount {
  readonly #store: Pick<FileStore, 'countBytes'>
  readonly #now: () => number
  #counted: (FileFigures & { readonly at: number }) | undefined
  #counting: Promise<FileFigures> | undefined

  constructor(store: Pick<FileStore, 'countBytes'>, now: () => number) {
    this.#store = store
    this.#now = now
  }

  figures(): Promise<FileFigures> {
    const { count = 0, at = 0 } = this.#counted ?? {}
    if (count >= SLICE && this.#now() - at < GOOD_FOR_MS) return Promise.resolve(this.#counted!)
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined
    })
    return this.#counting
  }

  async #count(): Promise<FileFigures> {
    const sum = await countAll(this.#store)
    this.#counted = { ...sum, at: this.#now() }
    return sum
  }
}

async function countAll(store: Pick<FileStore, 'countBytes'>): Promise<FileFigures> {
  const sum = { count: 0, bytes: 0 }
  for (let after: string | null = ''; after !== null; ) {
    const { count, bytes, last } = await store.countBytes(after, SLICE)
    sum.count += count
    sum.bytes += bytes
    after = count < SLICE ? null : last
  }
  return sum
}
