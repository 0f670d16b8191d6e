import assert from 'node:assert/strict'
import type { MessagePage, MessagePlace } from '../message-store.ts'
import type { Store } from '../store.ts'
import {
  acceptAndEnd,
  acceptMany,
  type OpenSubject,
  sampleMessage,
  sampleOutcome,
  storeTest
} from './subject.test-kit.ts'

async function texts(store: Store, session?: string, limit = 100): Promise<string[]> {
  const question = session === undefined ? { limit } : { limit, session }
  const { messages } = await store.messages.list({ flowId: 'flow-a', ...question })
  return messages.map(({ text }) => text)
}

/** Every page from the newest to the oldest, each as the texts on it. */
async function pages(store: Store, limit: number, session?: string): Promise<string[][]> {
  const found: string[][] = []
  let before: MessagePlace | null | undefined
  while (before !== null) {
    const page: MessagePage = await store.messages.list({
      flowId: 'flow-a',
      limit,
      ...(session !== undefined && { session }),
      ...(before !== undefined && { before })
    })
    found.push(page.messages.map(({ text }) => text))
    before = page.next
  }
  return found
}

export function messageContract(open: OpenSubject): void {
  storeTest(open, 'a message is kept as it was printed', async ({ store, reopen }) => {
    const message = sampleMessage({ text: 'Größe: 5 🙂\nsecond line', sender: 'User' })
    const run = await acceptAndEnd(store, {}, { messages: [message] })
    const printed = await store.messages.list({ flowId: 'flow-a', limit: 10 })
    const [{ at, ...kept } = { at: undefined }] = printed.messages
    assert.deepEqual([kept, printed.next], [{ ...message, runId: run.id }, null])
    assert.ok(at !== undefined)
    const again = await reopen()
    assert.deepEqual(await again.messages.list({ flowId: 'flow-a', limit: 10 }), printed)
    assert.deepEqual(await again.messages.list({ flowId: 'flow-b', limit: 10 }), { messages: [], next: null })
  })

  storeTest(open, 'what somebody thought of a message is kept with it', async ({ store, reopen }) => {
    const message = sampleMessage()
    const run = await acceptAndEnd(store, {}, { messages: [message] })
    const it = { flowId: 'flow-a', runId: run.id, id: message.id }
    assert.equal(await store.messages.rate(it, 'good'), true)
    for (const other of [
      { ...it, flowId: 'flow-b' },
      { ...it, runId: 'absent' },
      { ...it, id: 'absent' }
    ])
      assert.equal(await store.messages.rate(other, 'bad'), false)
    const again = await reopen()
    const ratingOf = async () =>
      (await again.messages.list({ flowId: 'flow-a', limit: 1 })).messages[0]!.rating
    assert.equal(await ratingOf(), 'good')
    await again.messages.rate(it, null)
    assert.equal(await ratingOf(), undefined)
  })

  storeTest(open, 'messages are told apart by flow and by session', async ({ store }) => {
    await acceptAndEnd(
      store,
      {},
      {
        messages: [
          sampleMessage({ session: 's1', text: 'one' }),
          sampleMessage({ session: 's2', text: 'two' }),
          sampleMessage({ session: 's1', text: 'three' })
        ]
      }
    )
    await acceptAndEnd(
      store,
      { flowId: 'flow-b' },
      { messages: [sampleMessage({ session: 's1', text: 'elsewhere' })] }
    )
    assert.deepEqual(await texts(store, 's1'), ['one', 'three'])
    assert.deepEqual(await texts(store, 's2'), ['two'])
    assert.deepEqual(await texts(store, undefined), ['one', 'two', 'three'])
    assert.deepEqual(await texts(store, 'nobody'), [])
  })

  storeTest(open, 'the newest come, in the order of printing', async ({ store }) => {
    for (let n = 1; n <= 6; n++) {
      await acceptAndEnd(store, {}, { messages: [sampleMessage({ text: `${n}`, createdAt: 1000 + n })] })
    }
    assert.deepEqual(await texts(store, undefined, 3), ['4', '5', '6'])
    assert.deepEqual(await texts(store, 'session-1', 2), ['5', '6'])
  })

  storeTest(open, 'pages go back to the first message, each message once', async ({ store }) => {
    // Several of one run too: a page may end in the middle of it.
    for (let n = 1; n <= 7; n += 3) {
      const messages = [n, n + 1, n + 2].map((no) =>
        sampleMessage({ text: `${no}`, session: no % 2 === 0 ? 'even' : 'odd', createdAt: 1000 + no })
      )
      await acceptAndEnd(store, {}, { messages })
      await acceptAndEnd(store, { flowId: 'flow-b' }, { messages: [sampleMessage()] })
    }
    assert.deepEqual(await pages(store, 4), [['6', '7', '8', '9'], ['2', '3', '4', '5'], ['1']])
    assert.deepEqual(await pages(store, 3), [
      ['7', '8', '9'],
      ['4', '5', '6'],
      ['1', '2', '3']
    ])
    assert.deepEqual(await pages(store, 2, 'even'), [
      ['6', '8'],
      ['2', '4']
    ])
    assert.deepEqual(await pages(store, 2, 'nobody'), [[]])
  })

  storeTest(open, 'runs that overlap: what was printed first comes first', async ({ store }) => {
    const [slow, quick] = await acceptMany(store, 2)
    await store.runs.end(
      quick!,
      sampleOutcome({ messages: [sampleMessage({ text: 'second', createdAt: 2000 })] })
    )
    await store.runs.end(
      slow!,
      sampleOutcome({
        messages: [
          sampleMessage({ text: 'first', createdAt: 1000 }),
          sampleMessage({ text: 'third', createdAt: 3000 })
        ]
      })
    )
    assert.deepEqual(await texts(store, undefined), ['first', 'second', 'third'])
  })

  storeTest(
    open,
    'what an open run has printed is there, once, whatever it writes and when it ends',
    async (subject) => {
      const { store } = subject
      const said = ['one', 'two', 'three', 'four'].map((text, place) =>
        sampleMessage({ text, createdAt: 1000 + place })
      )
      const wait = {
        id: 'wait-1',
        node: 'ask-1',
        kind: 'answer',
        createdAt: 1,
        expiresAt: null,
        question: null
      } as const
      const [run, plain] = await acceptMany(store, 2)
      await store.runs.checkpoint(plain!, '"plain"')
      await store.runs.checkpoint(run!, '"begun"', said.slice(0, 1))
      assert.deepEqual(await texts(store), ['one'])
      await store.runs.openWait(run!, '"asked"', wait, said.slice(0, 2))
      assert.deepEqual(await texts(store, 'session-1'), ['one', 'two'])
      await store.runs.park(run!, '"parked"', null, ['ask-1'], said.slice(1, 3))
      const again = await subject.reopen()
      assert.deepEqual(await texts(again), ['one', 'two', 'three'])
      assert.deepEqual(await pages(again, 2), [['two', 'three'], ['one']])
      await Promise.all([
        again.runs.checkpoint(run!, '"woken"', said.slice(3)),
        again.runs.end(run!, sampleOutcome({ messages: said }))
      ])
      assert.deepEqual(await texts(again), ['one', 'two', 'three', 'four'])
      assert.equal(await again.runs.checkpoint(run!, '"late"', [sampleMessage({ text: 'late' })]), null)
      assert.equal((await texts(again)).length, 4)
      await again.runs.prune({ keep: 0, slice: 10 })
      assert.deepEqual(await texts(again), [])
    }
  )

  storeTest(
    open,
    'what a run printed before it was cut off is there, and not twice',
    async ({ store, reopen }) => {
      const [run] = await acceptMany(store, 1)
      const messages = [sampleMessage({ text: 'said' })]
      await store.runs.checkpoint(run!, '"begun"', messages)
      const again = await reopen()
      assert.deepEqual(await texts(again), ['said'])
      await again.runs.end(run!, sampleOutcome({ messages }))
      assert.deepEqual(await texts(again), ['said'])
    }
  )

  storeTest(open, 'a run that ends again prints only what is new', async ({ store }) => {
    const before = sampleMessage({ text: 'before', createdAt: 1000 })
    const run = await acceptAndEnd(store, {}, { status: 'failed', messages: [before] })
    await store.runs.reopen(run, '"again"')
    assert.deepEqual(await texts(store, undefined), ['before'])
    const after = sampleMessage({ text: 'after', createdAt: 2000 })
    await store.runs.end(run, sampleOutcome({ messages: [before, after] }))
    assert.deepEqual(await texts(store, undefined), ['before', 'after'])
  })
}
