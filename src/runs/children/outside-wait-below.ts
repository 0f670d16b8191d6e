import type { Clock } from '../../clock.ts'
import type { RunStore, StoredRun } from '../../store/store.ts'

interface OutsideWaitDeps {
  readonly store: Pick<RunStore, 'get' | 'openBelow' | 'listWaits'>
  readonly clock: Pick<Clock, 'startTimer'>
  readonly isActive: (run: StoredRun) => boolean
}

const LOOK_MS = 500
/** So many of the open runs below are looked at: the nearest. */
const MOST = 20

/**
 * Resolves when nothing but waits is left of a run and of all that it waits for, and one of those waits is for a call or an answer.
 * Which runs it starts, of which flows and in which process, is not known before: so this looks every now and then.
 */
export function untilOutsideWaitBelow(
  run: Pick<StoredRun, 'id' | 'seq'>,
  deps: OutsideWaitDeps,
  signal: AbortSignal
): Promise<void> {
  return new Promise((resolve) => {
    let timer: { stop(): void } | undefined
    const look = async () => {
      // What cannot be read now is read the next time.
      if (await onlyOutsideWaitsAreLeft(run, deps).catch(() => false)) return resolve()
      if (!signal.aborted) timer = deps.clock.startTimer(LOOK_MS, look)
    }
    signal.addEventListener('abort', () => {
      timer?.stop()
      resolve()
    })
    timer = deps.clock.startTimer(LOOK_MS, look)
  })
}

async function onlyOutsideWaitsAreLeft(
  { id, seq }: Pick<StoredRun, 'id' | 'seq'>,
  deps: OutsideWaitDeps
): Promise<boolean> {
  const { store } = deps
  if ((await store.get(id))?.isWaiting !== true) return false
  let isAsked = false
  for (const open of await store.openBelow(seq, MOST)) {
    const child = await store.get(open.id)
    if (child?.outcome !== null || child.parent?.isAwaited !== true) continue
    // What has not begun waits for its turn, or begins now, and is seen the next time.
    if (child.isWaiting === true) isAsked ||= await asksOthers(child, store)
    else if (deps.isActive(child) || child.journal.length > 0) return false
  }
  return isAsked
}

async function asksOthers({ seq }: StoredRun, { listWaits }: OutsideWaitDeps['store']): Promise<boolean> {
  for (const kind of ['call', 'answer'] as const) {
    const open = await listWaits({ kind, state: 'open', runSeq: seq, limit: 1 })
    if (open.length > 0) return true
  }
  return false
}
