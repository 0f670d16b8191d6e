import { sampleChild } from '../contract/sample-children.test-kit.ts'
import { sampleWait } from '../contract/sample-waits.test-kit.ts'
import { sampleOutcome, sampleRun } from '../contract/subject.test-kit.ts'
import type { AcceptedRun, Store } from '../store.ts'

interface FilledFamilies {
  /** Waits for three children, one of which is under way. */
  readonly parent: AcceptedRun
  readonly child: AcceptedRun
  /** Waits for a call. */
  readonly called: AcceptedRun
  readonly ids: readonly string[]
  readonly waits: readonly string[]
}

const RULES = { atOnce: 1, stopsOnFailure: false }

/** Runs that wait, and runs that others started, in every state. */
export async function fillFamilies(store: Store): Promise<FilledFamilies> {
  const { runs } = store
  const ids: string[] = []
  const waits: string[] = []
  const accept = async (flowId: string) => {
    const run = await runs.accept(sampleRun({ flowId }))
    ids.push(run.id)
    return run
  }
  const openWait = async (run: AcceptedRun) => {
    const wait = sampleWait({ kind: 'answer', expiresAt: null, question: '{"text":"Ünï?"}' })
    waits.push(wait.id)
    await runs.openWait(run, '"waiting"', wait)
    await runs.park(run, '"parked"', null, ['wait-1'])
  }
  const wake = (run: AcceptedRun) =>
    runs.wake({ run, node: 'wait-1', at: 4_000, entry: '"woken"', answer: '{"choice":"yes"}', early: true })

  const parent = await accept('flow-c')
  const children = [0, 1, 2].map((index) => sampleChild(parent, { index }))
  const [child] = (await runs.startChildren(parent, 'each-1', children, RULES))!
  const detached = (await runs.startDetached(parent, sampleChild(parent, { node: 'run', isAwaited: false })))!
  await runs.park(detached, '"pause"', 2e12)
  const recorded = [3, 4].map((index) => sampleChild(parent, { index }))
  await runs.recordChildren(
    parent,
    'each-1',
    recorded.map((each) => ({ child: each, outcome: sampleOutcome() }))
  )
  await runs.park(parent, '"parked"', null, ['each-1'])
  ids.push(detached.id, ...[...children, ...recorded].map(({ id }) => id))

  const called = await accept('flow-d')
  await openWait(called)
  const woken = await accept('flow-a')
  await openWait(woken)
  await wake(woken)
  const early = await accept('flow-e')
  await wake(early)

  // A child of one that failed, and two that outlive their parent, which is deleted.
  const old = await accept('flow-f')
  for (const index of [0, 1]) {
    const one = sampleChild(old, { index, node: 'run', isAwaited: false }, { flowId: 'flow-g' })
    ids.push((await runs.startDetached(old, one))!.id)
  }
  await runs.end(old, sampleOutcome({ status: 'failed' }))
  await runs.prune({ keep: 0, slice: 10 })
  const failed = await accept('flow-h')
  const [last] = (await runs.startChildren(
    failed,
    'each-1',
    [sampleChild(failed, {}, { flowId: 'flow-i' })],
    RULES
  ))!
  ids.push(last!.id)
  await runs.end(failed, sampleOutcome({ status: 'failed' }))
  return { parent, child: child!, called, ids, waits }
}

export async function familyAnswers(store: Store, { parent, ids, waits }: FilledFamilies) {
  const { runs } = store
  const found = await Promise.all(ids.map((id) => runs.get(id)))
  return {
    runs: found.map((run) => run && { ...run, input: Buffer.from(run.input).toString() }),
    orphans: await Promise.all(found.map((run) => run && runs.isOrphaned(run.seq))),
    waits: await Promise.all(waits.map((id) => runs.waitById(id))),
    open: await runs.listWaits({ kind: 'answer', state: 'open', limit: 10 }),
    children: await runs.children(parent.seq, 'each-1', 0, 10),
    below: await runs.openBelow(parent.seq, 10),
    backlog: [...(await runs.backlog())].sort(),
    due: (await runs.flowsDue(1e12)).sort(),
    'next due': await runs.nextDue(1e12)
  }
}
