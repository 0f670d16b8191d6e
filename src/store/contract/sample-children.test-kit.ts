import assert from 'node:assert/strict'
import type { ChildRules, NewChild } from '../children.ts'
import type { AcceptedRun, ParentRef, QueuedPage, RunRef, Store } from '../store.ts'
import { sampleOutcome, sampleRun } from './subject.test-kit.ts'

export const ALL = { runs: 1_000, bytes: 1_000_000 }
export const RULES: ChildRules = { atOnce: 2, stopsOnFailure: false }
export const STOPS: ChildRules = { atOnce: 2, stopsOnFailure: true }
export const FAILED = sampleOutcome({ status: 'failed', error: '{"message":"no"}' })

export function parentRef(parent: AcceptedRun, given: Partial<ParentRef> = {}): ParentRef {
  return {
    seq: parent.seq,
    runId: parent.id,
    flowId: parent.flowId,
    node: 'each-1',
    index: 0,
    depth: (parent.parent?.depth ?? 0) + 1,
    isAwaited: true,
    ...given
  }
}

export function sampleChild(
  parent: AcceptedRun,
  given: Partial<ParentRef> = {},
  run: Partial<NewChild> = {}
): NewChild {
  return {
    ...sampleRun({ flowId: 'flow-b', createdAt: 1_700_000_000_001 }),
    parent: parentRef(parent, given),
    ...run
  }
}

export function sampleChildren(parent: AcceptedRun, count: number, from = 0): NewChild[] {
  return Array.from({ length: count }, (_, place) => sampleChild(parent, { index: from + place }))
}

/** A parked parent that waits for so many children; resolves to those that may begin, and to all. */
export async function waitingParent(store: Store, count: number, rules = RULES) {
  const parent = await store.runs.accept(sampleRun())
  const children = sampleChildren(parent, count)
  const begun = await store.runs.startChildren(parent, 'each-1', children, rules)
  assert.ok(begun !== null)
  await store.runs.park(parent, '"parked"', null, ['each-1'])
  return { parent, children, begun }
}

export function reopenChildren(
  store: Store,
  parent: RunRef,
  children: readonly AcceptedRun[],
  rules: ChildRules
): Promise<(number | null)[]> {
  const reopenings = children.map((run) => ({ run, index: run.parent!.index, entry: '"again"' }))
  return store.runs.reopenChildren(parent, children[0]!.parent!.node, reopenings, rules)
}

export function idsOf({ runs }: QueuedPage): string[] {
  return runs.map(({ id }) => id)
}

export async function take(store: Store, flowId: string, now = 2e12) {
  return (await store.runs.takeDue(flowId, now, ALL)).runs
}

export function places(children: readonly { id: string }[], runs: readonly { id: string }[]): number[] {
  return runs.map(({ id }) => children.findIndex((child) => child.id === id))
}
