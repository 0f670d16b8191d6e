/** What came of one run. */
export interface BulkResult {
  readonly id: string
  /** The run that was started or goes on. */
  readonly startedId?: string
  readonly error?: unknown
}

/** How far it is. */
export interface BulkProgress {
  readonly total: number
  readonly results: readonly BulkResult[]
  readonly isFinished: boolean
  readonly isStopped: boolean
}

export interface BulkWork {
  readonly ids: readonly string[]
  readonly act: (id: string) => Promise<string | undefined>
  /** The service has no room at the moment: worth waiting for. */
  readonly isBusy: (error: unknown) => boolean
  readonly wait: (ms: number) => Promise<void>
  readonly onResult: (result: BulkResult) => void
  readonly isStopped: () => boolean
}

/** A browser sends six requests to a service at a time; one is for the live events, and one for whoever goes on reading. */
export const PARALLEL = 4
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
const MOST_TRIES = 8

/** Does the same with every run, a few at a time, until all are done or somebody stops it. */
export async function runBulk(work: BulkWork): Promise<void> {
  const queue = work.ids.values()
  await Promise.all(Array.from({ length: PARALLEL }, () => workThrough(queue, work)))
}

async function workThrough(queue: Iterator<string>, work: BulkWork): Promise<void> {
  while (!work.isStopped()) {
    const next = queue.next()
    if (next.done) return
    work.onResult(await actOnOne(next.value, work))
  }
}

async function actOnOne(id: string, work: BulkWork): Promise<BulkResult> {
  for (let tries = 1, waitMs = FIRST_WAIT_MS; ; tries++, waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      const startedId = await work.act(id)
      return startedId === undefined ? { id } : { id, startedId }
    } catch (error) {
      if (!work.isBusy(error) || tries === MOST_TRIES || work.isStopped()) return { id, error }
      await work.wait(waitMs)
    }
  }
}
