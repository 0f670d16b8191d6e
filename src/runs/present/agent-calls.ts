import type { KnownCall } from '../../flows/step/step-calls.ts'
import type { RunStore, StoredRun } from '../../store/store.ts'
import { knownCall, shownKnownCall } from '../children/known-call.ts'
import { readScope } from '../execute/test-plan.ts'

type CallStore = Pick<RunStore, 'children' | 'readPiece' | 'testScope'>

/** So many are read at once, and so many bytes of them make one page. */
const AT_ONCE = 50
const MOST_BYTES = 2 * 1024 * 1024

interface CallsPage {
  readonly known: readonly KnownCall[]
  /** There are more behind them. */
  readonly isCut: boolean
}

/** What an agent has asked from this place on, as it is shown. */
export async function shownCalls(
  run: StoredRun,
  node: string,
  from: number,
  store: CallStore
): Promise<CallsPage> {
  const known = await replayedCalls(run, node, store)
  const shown = known.filter(({ index }) => index >= from)
  let bytes = 0
  for (let next = from; ; ) {
    const page = await store.children(run.seq, node, next, AT_ONCE)
    for (const child of page) {
      shown.push(await shownKnownCall(child, node, (...place) => store.readPiece(...place)))
      bytes += child.outcome?.steps.length ?? 0
    }
    if (page.length < AT_ONCE) return { known: shown, isCut: false }
    if (bytes > MOST_BYTES) return { known: shown, isCut: true }
    next = page.at(-1)!.index + 1
  }
}

/** All that it has asked before this place, whole. Undefined where that has more bytes than `most`. */
export async function callsBefore(
  run: StoredRun,
  node: string,
  { before, most }: { readonly before: number; readonly most: number },
  store: CallStore
): Promise<readonly KnownCall[] | undefined> {
  const known = (await replayedCalls(run, node, store)).filter(({ index }) => index < before)
  let bytes = 0
  for (let next = 0; ; ) {
    const page = (await store.children(run.seq, node, next, AT_ONCE)).filter(({ index }) => index < before)
    for (const child of page) {
      const call = await knownCall(child, (...place) => store.readPiece(...place))
      bytes += JSON.stringify(call.outputs).length
      if (bytes > most) return undefined
      if (call.status !== 'open') known.push(call)
    }
    if (page.length < AT_ONCE) return known
    next = page.at(-1)!.index + 1
  }
}

/** What it had from the run that it goes on from. */
async function replayedCalls(run: StoredRun, node: string, store: CallStore): Promise<KnownCall[]> {
  const scope = run.isTest === true ? await store.testScope(run.seq) : undefined
  const replayed = scope === undefined ? undefined : readScope(scope).replayed
  return replayed?.node === node ? [...replayed.known] : []
}
