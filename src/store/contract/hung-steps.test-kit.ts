import assert from 'node:assert/strict'
import type { DeadlyNode, HungStep } from '../hung-steps.ts'
import type { Store } from '../store.ts'
import { RULES, sampleChild } from './sample-children.test-kit.ts'
import {
  acceptMany,
  beforeAndAfterRestart,
  type OpenSubject,
  type StoreSubject,
  sampleFlow,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

async function note({ openHungStepNotes }: StoreSubject, steps: readonly HungStep[]): Promise<void> {
  const notes = await openHungStepNotes()
  for (const step of steps) await notes.add(step, 1000)
  await notes.close()
}

async function nodesOf(store: Store, seq?: number): Promise<string[]> {
  return (await store.runs.hungSteps(seq)).map(({ node }) => node).sort()
}

async function deadlyIn({ runs }: Store): Promise<DeadlyNode[]> {
  const deadly = await runs.deadlyNodes()
  return deadly.map((each) => ({ ...each })).sort((one, other) => one.node.localeCompare(other.node))
}

export function hungStepContract(open: OpenSubject): void {
  storeTest(open, 'steps that hung are told as often as they were noted', async (subject) => {
    const [first, second] = await acceptMany(subject.store, 2)
    const ofFirst = ['c', 'c', 'a'].map((node) => ({ seq: first!.seq, node }))
    await note(subject, [...ofFirst, { seq: second!.seq, node: 'b' }])
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await nodesOf(each, first!.seq), ['a', 'c', 'c'])
      assert.deepEqual(await nodesOf(each), ['a', 'b', 'c', 'c'])
    }
  })

  storeTest(open, 'a run that is opened again, or deleted, begins with none', async (subject) => {
    const { runs } = subject.store
    const [pruned, reopened] = await acceptMany(subject.store, 2)
    await note(
      subject,
      [pruned, reopened].map((run) => ({ seq: run!.seq, node: 'a' }))
    )
    for (const run of [pruned, reopened]) await runs.end(run!, sampleOutcome({ status: 'failed' }))
    await runs.reopen(reopened!, '"again"')
    assert.deepEqual(await nodesOf(subject.store, reopened!.seq), [])
    await runs.prune({ keep: 0, slice: 10 })
    assert.deepEqual(await nodesOf(subject.store), [])
  })

  storeTest(open, 'a node is deadly that more than one run of its version died in', async (subject) => {
    const { runs } = subject.store
    const [first, second, third] = await acceptMany(subject.store, 3)
    const { flowId, flowVersion } = first!
    const other = await runs.accept(sampleRun({ flowId, flowVersion: flowVersion + 1 }))
    const test = await runs.acceptTest(sampleRun({ flowId, flowVersion }), '{"nodes":[]}')
    await note(subject, [
      ...['a', 'a', 'b'].map((node) => ({ seq: first!.seq, node })),
      ...[other, test].map(({ seq }) => ({ seq, node: 'a' }))
    ])
    assert.deepEqual(await runs.deadlyNodes(), [], 'one run of each version')
    await note(subject, [{ seq: second!.seq, node: 'a' }])
    await runs.noteCrash({ seq: first!.seq, node: 'c' }, 1000)
    await runs.noteCrash({ seq: third!.seq, node: 'c' }, 1000)
    const both = [
      { flowId, flowVersion, node: 'a', death: 'hung' },
      { flowId, flowVersion, node: 'c', death: 'crashed' }
    ]
    assert.deepEqual(await deadlyIn(subject.store), both)
    assert.deepEqual(await nodesOf(subject.store, third!.seq), [], 'a crash is no hang')
    await runs.end(second!, sampleOutcome({ status: 'failed' }))
    await runs.reopen(second!, '"again"')
    for await (const each of beforeAndAfterRestart(subject))
      assert.deepEqual(await deadlyIn(each), both.slice(1))
  })

  storeTest(open, 'the items of one run count as one', async (subject) => {
    const { runs } = subject.store
    const parents = [await runs.accept(sampleRun()), await runs.accept(sampleRun())]
    const { flowId, flowVersion } = sampleChild(parents[0]!)
    for (const [at, parent] of parents.entries()) {
      const items = [0, 1].map((index) => sampleChild(parent, { index }))
      const started = await runs.startChildren(parent, 'each-1', items, RULES)
      await note(
        subject,
        started!.map(({ seq }) => ({ seq, node: 'a' }))
      )
      const isDeadly = [{ flowId, flowVersion, node: 'a', death: 'hung' }]
      assert.deepEqual(await deadlyIn(subject.store), at === 0 ? [] : isDeadly)
    }
  })

  storeTest(open, 'who notes a step finds its run and the document that it follows', async (subject) => {
    const { flows, runs } = subject.store
    await flows.create(sampleFlow({ id: 'flow-a', document: '{"nodes":[]}' }))
    const run = sampleRun({ flowId: 'flow-a', flowVersion: 1 })
    const { seq } = await runs.accept(run)
    const notes = await subject.openHungStepNotes()
    const found = await notes.findRun(seq)
    assert.deepEqual({ ...found }, { runId: run.id, document: '{"nodes":[]}' })
    assert.equal(await notes.findRun(seq + 1), undefined)
    await notes.close()
  })
}
