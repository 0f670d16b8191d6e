import assert from 'node:assert/strict'
import type { Store } from '../store.ts'
import {
  acceptAndEnd,
  acceptMany,
  type OpenSubject,
  sampleMessage,
  sampleOutcome,
  storeTest
} from './subject.test-kit.ts'

async function texts(store: Store, session: string | undefined, limit = 100): Promise<string[]> {
  return (await store.messages.list('flow-a', session, limit)).map((message) => message.text)
}

export function messageContract(open: OpenSubject): void {
  storeTest(open, 'a message is kept as it was printed', async ({ store, reopen }) => {
    const message = sampleMessage({ text: 'Größe: 5 🙂\nsecond line', sender: 'User' })
    const run = await acceptAndEnd(store, {}, { messages: [message] })
    const expected = [{ ...message, runId: run.id }]
    assert.deepEqual(await store.messages.list('flow-a', undefined, 10), expected)
    const again = await reopen()
    assert.deepEqual(await again.messages.list('flow-a', undefined, 10), expected)
    assert.deepEqual(await again.messages.list('flow-b', undefined, 10), [])
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
