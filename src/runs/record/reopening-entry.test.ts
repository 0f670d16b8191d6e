import assert from 'node:assert/strict'
import { it } from 'node:test'
import { recall } from '../../engine/journal.ts'
import { decodeEntry, encodeEntry } from './journal-codec.ts'
import { reopeningEntry } from './reopening-entry.ts'
import { runStartOf } from './run-start.ts'
import { encodeSteps } from './step-codec.ts'
import { storedRun } from './stored-run.test-kit.ts'

it('a run that is opened again counts on the attempts of a step that was cut off', () => {
  const run = storedRun(1)
  const start = runStartOf(run)
  const begun = [{ node: 'call-1', type: 'api-request', attempt: 2 }]
  const journal = [encodeEntry({ at: 5, startedAt: 5, begun }, start)]
  const outcome = {
    no: 9,
    status: 'cancelled',
    startedAt: 5,
    finishedAt: 7,
    error: null,
    steps: '[]'
  } as const
  const { entry } = reopeningEntry({ ...run, journal, outcome }, 10)
  const { waiting, settled } = recall([decodeEntry(entry, start)])
  assert.deepEqual([waiting.get('call-1')?.attempts, settled.size], [2, 0])
})

it('a run that is opened again waits for nothing any more that it waited for when it ended', () => {
  const run = storedRun(1)
  const start = runStartOf(run)
  const wait = { id: 'w', kind: 'children', since: 5 } as const
  const step = { node: 'each', type: 'for-each', attempts: 1, until: null, error: null }
  const journal = [encodeEntry({ at: 5, startedAt: 5, waiting: [{ ...step, wait }] }, start)]
  const ended = { no: 9, startedAt: 5, finishedAt: 7, error: null, steps: '[]' } as const
  const { entry } = reopeningEntry({ ...run, journal, outcome: { ...ended, status: 'failed' } }, 10)
  const { waiting } = recall([...journal, entry].map((text) => decodeEntry(text, start)))
  assert.deepEqual(waiting.get('each'), { ...step, until: 0 })
})

it('a run that is opened again forgets what let its next attempt begin at once: the attempt has no use for it', () => {
  const run = storedRun(1)
  const start = runStartOf(run)
  const step = (node: string, kind: 'retry' | 'call') => {
    const wait = { id: node, kind, since: 5 }
    return { node, type: 'send-webhook', attempts: 1, until: 9, error: null, wait }
  }
  const woken = ['sent', 'called'].map((node) => ({ node, by: 'call' as const, at: 6, value: null }))
  const journal = [
    encodeEntry({ at: 5, startedAt: 5, waiting: [step('sent', 'retry'), step('called', 'call')] }, start),
    encodeEntry({ at: 6, woken }, start)
  ]
  const ended = { no: 9, startedAt: 5, finishedAt: 7, error: null, steps: '[]' } as const
  const { entry } = reopeningEntry({ ...run, journal, outcome: { ...ended, status: 'cancelled' } }, 10)
  const recalled = recall([decodeEntry(entry, start)])
  assert.deepEqual([...recalled.woken.keys()], ['called'])
  assert.equal(recalled.waiting.get('sent')?.attempts, 1)
})

it('a run that is opened again and again knows which steps were given other inputs, and after how many attempts', () => {
  const run = storedRun(1)
  const start = runStartOf(run)
  const times = { startedAt: 5, durationMs: 1 }
  const step = { node: 'call-1', type: 'api-request', status: 'succeeded', attempts: 2, ...times } as const
  const ended = { no: 9, startedAt: 5, finishedAt: 7, error: null, status: 'succeeded' } as const
  const outcome = { ...ended, steps: encodeSteps([{ ...step, outputs: {}, error: null }], start) }
  const after = { nodes: ['each'], items: undefined, after: new Set(['call-1']) }
  const { entry: first } = reopeningEntry({ ...run, journal: [], outcome }, 10, after)
  const { entry: second } = reopeningEntry({ ...run, journal: [first], outcome }, 20)
  for (const entry of [first, second])
    assert.deepEqual([...recall([decodeEntry(entry, start)]).anew!], [['call-1', 2]])
})

it('a run that is opened again does not wait for steps that had to wait for others when it ended', () => {
  const run = storedRun(1)
  const start = runStartOf(run)
  const times = { startedAt: 5, durationMs: 1, outputs: null, error: null }
  const step = { node: 'call-1', type: 'api-request', status: 'cancelled', attempts: 2, ...times } as const
  const begun = [{ node: 'call-1', type: 'api-request', attempt: 2 }]
  const reopened = { at: 5, startedAt: 5, reopened: true, begun, left: ['call-1'] } as const
  const anew = [{ node: 'call-1', after: 2 }]
  const journal = [encodeEntry({ ...reopened, anew }, start)]
  const ended = { no: 9, startedAt: 5, finishedAt: 7, error: null, status: 'cancelled' } as const
  for (const steps of [[step], []]) {
    const { entry } = reopeningEntry(
      { ...run, journal, outcome: { ...ended, steps: encodeSteps(steps, start) } },
      10
    )
    const recalled = recall([decodeEntry(entry, start)])
    assert.deepEqual([recalled.waiting.size, recalled.begun.get('call-1')?.attempt], [0, 2])
    assert.equal(recalled.interruptions.size, 0)
  }
})
