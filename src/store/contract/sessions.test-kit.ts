import assert from 'node:assert/strict'
import type { MessagePlace, SessionPlace } from '../message-store.ts'
import type { Store } from '../store.ts'
import { sampleChild } from './sample-children.test-kit.ts'
import {
  acceptAndEnd,
  acceptMany,
  type OpenSubject,
  sampleMessage,
  sampleOutcome,
  storeTest
} from './subject.test-kit.ts'

async function say(store: Store, session: string, text: string, createdAt = 1000) {
  return acceptAndEnd(store, {}, { messages: [sampleMessage({ session, text, createdAt })] })
}

async function names(store: Store, limit: number): Promise<string[][]> {
  const pages: string[][] = []
  let before: SessionPlace | null | undefined
  while (before !== null) {
    const page: Awaited<ReturnType<Store['messages']['sessions']>> = await store.messages.sessions({
      flowId: 'flow-a',
      limit,
      ...(before !== undefined && { before })
    })
    pages.push(page.sessions.map(({ session }) => session))
    before = page.next
  }
  return pages
}

export function sessionContract(open: OpenSubject): void {
  storeTest(open, 'sessions are listed by what was printed last, each once', async ({ store }) => {
    for (const [at, session] of ['ann', 'bob', 'ann', 'cy', 'dora', 'bob'].entries())
      await say(store, session, `${at}`, 1000 + at)
    await acceptAndEnd(store, { flowId: 'flow-b' }, { messages: [sampleMessage({ session: 'eve' })] })
    const { sessions } = await store.messages.sessions({ flowId: 'flow-a', limit: 10 })
    assert.deepEqual(sessions, [
      { session: 'bob', messages: 2, firstAt: 1001, lastAt: 1005 },
      { session: 'dora', messages: 1, firstAt: 1004, lastAt: 1004 },
      { session: 'cy', messages: 1, firstAt: 1003, lastAt: 1003 },
      { session: 'ann', messages: 2, firstAt: 1000, lastAt: 1002 }
    ])
    assert.deepEqual(await names(store, 3), [['bob', 'dora', 'cy'], ['ann']])
    assert.deepEqual(await names(store, 1), [['bob'], ['dora'], ['cy'], ['ann']])
  })

  storeTest(open, 'who speaks is known, and is deleted with all that it left', async ({ store }) => {
    const [first, other] = [await say(store, 'ann', 'one'), await say(store, 'bob', 'two')]
    const [open] = await acceptMany(store, 1)
    await store.runs.checkpoint(open!, '"said"', [sampleMessage({ session: 'ann', text: 'three' })])
    const speakers = await store.messages.speakers('flow-a', 'ann')
    assert.deepEqual(
      speakers.map(({ id, flowId, hasEnded }) => [id, flowId, hasEnded]),
      [
        [first.id, 'flow-a', true],
        [open!.id, 'flow-a', false]
      ]
    )
    await store.runs.deleteEnded(speakers.map(({ seq }) => seq))
    assert.equal(await store.runs.get(first.id), undefined)
    assert.ok((await store.runs.get(open!.id)) && (await store.runs.get(other.id)))
    assert.equal(await store.messages.forget('flow-a', 'ann'), 1)
    assert.equal(await store.messages.forget('flow-a', 'nobody'), 0)
    assert.deepEqual(await names(store, 10), [['bob']])
    await store.runs.end(open!, sampleOutcome({}))
  })

  storeTest(open, 'in the place of a run that another started the topmost speaks', async ({ store }) => {
    const [parent] = await acceptMany(store, 1)
    const child = await store.runs.startDetached(
      parent!,
      sampleChild(parent!, { isAwaited: false }, { flowId: 'flow-a' })
    )
    assert.ok(child !== null && child !== undefined)
    await store.runs.end(child, sampleOutcome({ messages: [sampleMessage({ session: 'ann' })] }))
    const speakers = await store.messages.speakers('flow-a', 'ann')
    assert.deepEqual(
      speakers.map(({ id, hasEnded }) => [id, hasEnded]),
      [[parent!.id, false]]
    )
  })

  storeTest(
    open,
    'a session has a name and one summary, which the first one writes',
    async ({ store, reopen }) => {
      const run = await say(store, 'ann', 'one')
      const { sessions } = store
      await sessions.entitle('flow-a', 'ann', 'Ann’s order')
      const next = await say(store, 'ann', 'two')
      const said = await store.messages.list({ flowId: 'flow-a', session: 'ann', limit: 9 })
      const [upTo, later] = said.messages.map(({ at }) => at) as [MessagePlace, MessagePlace]
      const summary = { text: 'They ordered.', upTo, runId: run.id }
      assert.equal(await sessions.summarize('flow-a', 'ann', summary, null), true)
      assert.equal(await sessions.summarize('flow-a', 'ann', { ...summary, text: 'Other.' }, null), false)
      const more = { text: 'They ordered, and paid.', upTo: later, runId: next.id }
      assert.equal(await sessions.summarize('flow-a', 'ann', more, upTo), true)
      const again = (await reopen()).sessions
      const note = { session: 'ann', title: 'Ann’s order', summary: more }
      assert.deepEqual(await again.notes('flow-a', ['ann', 'bob']), [note])
      assert.deepEqual(await again.notes('flow-b', ['ann']), [])
      await again.entitle('flow-a', 'ann', null)
      assert.deepEqual(await again.notes('flow-a', ['ann']), [{ ...note, title: null }])
      await again.forget('flow-a', 'ann')
      assert.deepEqual(await again.notes('flow-a', ['ann']), [])
    }
  )

  storeTest(open, 'of a session that was deleted nothing is summed up any more', async ({ store }) => {
    const run = await say(store, 'ann', 'one')
    const { messages } = await store.messages.list({ flowId: 'flow-a', session: 'ann', limit: 1 })
    const summary = { text: 'They ordered.', upTo: messages[0]!.at, runId: run.id }
    await store.messages.forget('flow-a', 'ann')
    assert.equal(await store.sessions.summarize('flow-a', 'ann', summary, null), false)
    assert.deepEqual(await store.sessions.notes('flow-a', ['ann']), [])
  })

  storeTest(open, 'a summary goes with the last run that it sums up', async ({ store }) => {
    for (const session of ['ann', 'bob']) {
      const { id: runId } = await say(store, session, 'one')
      const { messages } = await store.messages.list({ flowId: 'flow-a', session, limit: 1 })
      await store.sessions.summarize('flow-a', session, { text: 'Said.', upTo: messages[0]!.at, runId }, null)
    }
    await store.sessions.entitle('flow-a', 'bob', 'Bob')
    assert.equal(await store.sessions.sweep(10), 0)
    await store.runs.prune({ keep: 0, slice: 10 })
    assert.equal(await store.sessions.sweep(10), 2)
    const note = { session: 'bob', title: 'Bob', summary: null }
    assert.deepEqual(await store.sessions.notes('flow-a', ['ann', 'bob']), [note])
  })
}
