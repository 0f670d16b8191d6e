import assert from 'node:assert/strict'
import type { StoredRehearsal } from '../rehearsals.ts'
import { beforeAndAfterRestart, type OpenSubject, sampleFlow, storeTest } from './subject.test-kit.ts'

const rehearsalOf = (flowId: string, given: Partial<StoredRehearsal> = {}): StoredRehearsal => ({
  flowId,
  id: 'one',
  revision: 3,
  asked: 100,
  author: 'Ann',
  startedAt: 1000,
  finishedAt: null,
  result: null,
  ...given
})

export function rehearsalContract(open: OpenSubject): void {
  storeTest(open, 'a flow has one rehearsal, the last', async (subject) => {
    const { store } = subject
    const flow = sampleFlow()
    await store.flows.create(flow)
    assert.equal(await store.rehearsals.find(flow.id), undefined)
    assert.equal(await store.rehearsals.begin(rehearsalOf(flow.id)), true)
    const last = rehearsalOf(flow.id, {
      id: 'other',
      revision: null,
      author: null,
      asked: 7,
      startedAt: 2000
    })
    assert.equal(await store.rehearsals.begin(last), true)
    assert.equal(await store.rehearsals.finish({ flowId: flow.id, id: 'one' }, '{"late":1}', 2500), false)
    assert.deepEqual(await store.rehearsals.find(flow.id), last)
    assert.equal(await store.rehearsals.finish(last, '{"cases":["Ünïcode"]}', 3000), true)
    for await (const { rehearsals } of beforeAndAfterRestart(subject)) {
      const ended = { ...last, result: '{"cases":["Ünïcode"]}', finishedAt: 3000 }
      assert.deepEqual(await rehearsals.find(flow.id), ended)
    }
  })

  storeTest(open, 'a flow that is not live is not rehearsed', async ({ store }) => {
    const flow = sampleFlow()
    await store.flows.create(flow)
    await store.flows.remove(flow.id, 2000)
    assert.equal(await store.rehearsals.begin(rehearsalOf(flow.id)), false)
    assert.equal(await store.rehearsals.begin(rehearsalOf('nobody')), false)
  })
}
