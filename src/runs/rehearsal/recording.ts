import type { Plan } from '../../engine/plan.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { ExecutableRun, RunStore, StoredRun } from '../../store/store.ts'
import { type RunStart, runStartOf } from '../record/run-start.ts'
import { encodeSteps } from '../record/step-codec.ts'
import { RecordedRun } from './recorded-run.ts'

/** Where a rehearsal finds what a run and its items did. */
export type RehearsalRuns = Pick<RunStore, 'readPiece' | 'children' | 'get'>

interface RecordDeps {
  readonly store: RehearsalRuns
  readonly planOf: (run: ExecutableRun) => Plan | Promise<Plan>
}

/** A run that has ended, as it is kept when it is gone itself: with its long values, and the items of its regions. */
export interface Recording extends RecordedFacts {
  readonly items: readonly RecordedItem[]
}

interface RecordedFacts
  extends Pick<
    StoredRun,
    'id' | 'flowVersion' | 'trigger' | 'session' | 'createdAt' | 'request' | 'context'
  > {
  /** The body, byte for byte, in base64. */
  readonly input: string
  readonly outcome: Omit<NonNullable<StoredRun['outcome']>, 'no'>
}

interface RecordedItem {
  readonly node: string
  readonly index: number
  readonly run: RecordedFacts
}

/** So many items of a region are recorded; a rehearsal looks at no more. */
const MOST_ITEMS = 1_000
const AT_ONCE = 100

/** Undefined where it takes more than so many characters: each of a thousand items may have megabytes, and no more are read then. */
export async function recordRun(
  run: StoredRun,
  deps: RecordDeps,
  most: number
): Promise<Recording | undefined> {
  const plan = await deps.planOf(run)
  const facts = await factsOf(run, plan, deps)
  let left = most - lengthOf(facts)
  const items: RecordedItem[] = []
  for (const [node, region] of plan.regions) {
    if (left < 0) return undefined
    for await (const [index, child] of itemsOf(run, node, deps)) {
      const item = { node, index, run: await factsOf(child, region, deps) }
      left -= lengthOf(item.run)
      if (left < 0) return undefined
      items.push(item)
    }
  }
  return left < 0 ? undefined : { ...facts, items }
}

function lengthOf({ input, outcome }: RecordedFacts): number {
  return input.length + outcome.steps.length
}

async function* itemsOf(run: StoredRun, node: string, { store }: RecordDeps) {
  for (let from = 0; from < MOST_ITEMS; ) {
    const page = await store.children(run.seq, node, from, AT_ONCE)
    for (const { id, index } of page) {
      const child = await store.get(id)
      if (child?.outcome != null) yield [index, child] as const
    }
    if (page.length < AT_ONCE) return
    from = page.at(-1)!.index + 1
  }
}

async function factsOf(run: StoredRun, plan: Plan, { store }: RecordDeps): Promise<RecordedFacts> {
  const { id, flowVersion, trigger, session, createdAt, request, context, input } = run
  const { no: _, ...outcome } = run.outcome!
  const start = runStartOf(run)
  const recorded = await RecordedRun.read({ plan, trigger, start, outcome }, (...place) =>
    store.readPiece(...place)
  )
  return {
    ...{ id, flowVersion, trigger, session, createdAt, request, context },
    input: Buffer.from(input).toString('base64'),
    outcome: { ...outcome, steps: writtenSteps([...recorded.steps.values()], start) }
  }
}

/** What came with the request is not written again. */
export function writtenSteps(steps: readonly StepRecord[], start: RunStart): string {
  return encodeSteps(steps, start)
}

/** Whether a step gave more than is kept in memory. */
export function isTooLong({ outputs, messages, answer }: StepRecord): boolean {
  const values = [...Object.values(outputs ?? {}), ...(messages ?? []).map(({ text }) => text), answer?.body]
  return values.some(isLongValue)
}

/** The recorded run, and a store that holds nothing but what was recorded with it. */
export function playRecording({ items, ...top }: Recording, flowId: string): [StoredRun, RehearsalRuns] {
  const run = runOf(top, { seq: 1, flowId })
  const children = items.map(({ node, index, run: item }, at) => ({
    node,
    index,
    run: runOf(item, { seq: at + 2, flowId })
  }))
  return [
    run,
    {
      readPiece: async () => undefined,
      get: async (id) => children.find((child) => child.run.id === id)?.run,
      children: async (_seq, node, fromIndex, limit) =>
        children
          .filter((child) => child.node === node && child.index >= fromIndex)
          .slice(0, limit)
          .map(({ index, run: { seq, id, outcome } }) => ({ seq, id, flowId, index, outcome }))
    }
  ]
}

function runOf(facts: RecordedFacts, { seq, flowId }: { seq: number; flowId: string }): StoredRun {
  const { input, outcome, id, flowVersion, trigger, session, createdAt, request, context } = facts
  return {
    ...{ seq, id, flowId, flowVersion, trigger, session, createdAt, request, context },
    replayOf: null,
    input: Buffer.from(input, 'base64'),
    journal: [],
    outcome: { no: 0, ...outcome }
  }
}
