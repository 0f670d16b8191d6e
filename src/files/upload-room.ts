import { MillraceError } from '../errors.ts'
import type { FileStore, UnusedFiles } from '../store/files.ts'

interface UploadRoomDeps {
  readonly store: Pick<FileStore, 'unused'>
  /** The most bytes of one file. */
  readonly limit: number
}

/** Who uploads, and where to. */
interface Uploader {
  readonly uploadedBy: string
  readonly context: string
}

/**
 * How much may wait for a run that names it, in files of the largest size and in number. Uploads cost their sender nothing, and lie
 * there for a day: without a bound one key could fill the disk of all. A context has more than one key has, so that nobody who may
 * make keys gets round it, and one key of several cannot use up all of it. Files that runs name are not counted: how many of these there are is for
 * rate limits and retention to say.
 */
const MOST = {
  uploadedBy: { largeFiles: 20, files: 1_000 },
  context: { largeFiles: 100, files: 5_000 }
} as const

type Bounded = keyof typeof MOST

/** Lets uploads in as long as those that no run names are not too many. Each process counts its own that are under way. */
export class UploadRoom {
  readonly #deps: UploadRoomDeps
  readonly #underWay = new Map<string, UnusedFiles>()

  constructor(deps: UploadRoomDeps) {
    this.#deps = deps
  }

  /** Does it where there is room for so many bytes; rejects with `uploads_limited` where there is not. */
  async whileTaken<T>(uploader: Uploader, bytes: number, upload: () => Promise<T>): Promise<T> {
    // At once: who asks before the store has answered must see it, and nobody is refused for who comes later.
    const taken = {
      uploadedBy: this.#add(`key ${uploader.uploadedBy}`, 1, bytes),
      context: this.#add(`context ${uploader.context}`, 1, bytes)
    }
    try {
      await this.#assertRoom(uploader, taken)
      return await upload()
    } finally {
      this.#add(`key ${uploader.uploadedBy}`, -1, -bytes)
      this.#add(`context ${uploader.context}`, -1, -bytes)
    }
  }

  async #assertRoom({ uploadedBy, context }: Uploader, taken: Record<Bounded, UnusedFiles>): Promise<void> {
    const { store, limit } = this.#deps
    const stored = {
      uploadedBy: await store.unused({ uploadedBy }),
      context: await store.unused({ context })
    }
    for (const by of ['uploadedBy', 'context'] as const) {
      const most = { files: MOST[by].files, bytes: MOST[by].largeFiles * limit }
      const { files, bytes } = stored[by]
      if (files + taken[by].files > most.files || bytes + taken[by].bytes > most.bytes) throw noRoom(by, most)
    }
  }

  /** What there is with this and all that came before it. */
  #add(key: string, files: number, bytes: number): UnusedFiles {
    const known = this.#underWay.get(key) ?? { files: 0, bytes: 0 }
    const sum = { files: known.files + files, bytes: known.bytes + bytes }
    if (sum.files === 0) this.#underWay.delete(key)
    else this.#underWay.set(key, sum)
    return sum
  }
}

/** They are let go of a day after they came, in rounds. */
const RETRY_SECONDS = 600

function noRoom(by: Bounded, { files, bytes }: UnusedFiles): MillraceError {
  const whose = by === 'context' ? 'in this context' : 'by this key'
  return new MillraceError(
    'uploads_limited',
    `Too many files that were uploaded ${whose} wait for a run: there may be ${files} of them, with ${Math.floor(bytes / 1024 / 1024)} MB. Start the runs that they are for; what no run names is deleted after a day.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } }
  )
}
