import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptAndEnd, sampleMessage } from '../../store/contract/subject.test-kit.ts'
import { openFor } from '../../store/sqlite/sqlite-subject.test-kit.ts'
import { Sessions } from './sessions.ts'

test('what a run sums up while its session is deleted goes with it', async (t) => {
  const { store } = await openFor(t)
  const { messages, sessions: notes, runs } = store
  const run = await acceptAndEnd(store, {}, { messages: [sampleMessage({ session: 'ann' })] })
  const { messages: said } = await messages.list({ flowId: 'flow-a', session: 'ann', limit: 1 })
  const summary = { text: 'They ordered.', upTo: said[0]!.at, runId: run.id }
  let isWritten = false
  const meanwhile: typeof messages = {
    ...messages,
    forget: async (flowId, session) => {
      isWritten = await notes.summarize(flowId, session, summary, null)
      return messages.forget(flowId, session)
    }
  }
  const removed = await new Sessions({ messages: meanwhile, notes, runs }).remove('flow-a', 'ann')
  assert.deepEqual([isWritten, removed.deletedRuns], [true, 1])
  assert.deepEqual(await notes.notes('flow-a', ['ann']), [])
})
