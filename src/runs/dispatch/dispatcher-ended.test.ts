import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import type { Executed } from '../execute/executing-run.ts'
import { acceptedRun, storedRun } from '../record/stored-run.test-kit.ts'
import { emptyStore, settle, setUp } from './dispatcher.test-kit.ts'

test('who executes a run learns whether another life of it began, and not only that somebody asked for one', () => {
  const clock = manualClock()
  const heard: string[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    execute: () => ({ cancel: () => {}, interrupt: () => {}, notify: (news) => heard.push(news) })
  })
  dispatcher.offer(acceptedRun(1))
  clock.turn()
  dispatcher.reopening(storedRun(1))
  dispatcher.notReopened(storedRun(1))
  assert.deepEqual(heard, ['reopening', 'not reopened'])
  dispatcher.reopening(storedRun(1))
  dispatcher.resume(acceptedRun(1), [])
  assert.deepEqual(heard.slice(2), ['reopening', 'ended'])
})

test('a run that is cancelled while it waits for its turn is ended, and not executed', async () => {
  const clock = manualClock()
  const log: string[] = []
  const ends: ((how: Executed) => void)[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    execute: ({ run }, _, listener) => {
      log.push(`execute ${run.id}`)
      ends.push((how) => listener.done(how))
      return { cancel: () => log.push(`cancel ${run.id}`), interrupt: () => {}, notify: () => {} }
    },
    cancelUnbegun: ({ run }, listener) => {
      log.push(`end ${run.id}`)
      ends.push((how) => listener.done(how))
      return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
    }
  })
  for (const seq of [1, 2, 3]) dispatcher.offer(acceptedRun(seq))
  clock.turn()
  assert.equal(dispatcher.cancel(storedRun(1)), true)
  assert.equal(dispatcher.cancel(storedRun(2)), true)
  assert.equal(dispatcher.cancel(storedRun(9)), false)
  assert.deepEqual(log, ['execute run-1', 'cancel run-1', 'end run-2'])
  for (const end of ends.splice(0)) end('ended')
  clock.turn()
  assert.deepEqual(log.slice(3), ['execute run-3'])
  // Ended by somebody who did not know that it had been taken up.
  dispatcher.ending(storedRun(3))()
  assert.deepEqual(log.slice(4), ['cancel run-3'])
  for (const end of ends) end('lost')
  await dispatcher.stop()
})

test('whoever executes a run is told that it was ended by others, before it is opened again', () => {
  const clock = manualClock()
  const log: string[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    execute: ({ run }) => ({
      cancel: () => log.push(`cancel ${run.id}`),
      interrupt: () => {},
      notify: (news) => log.push(`${news} ${run.id}`)
    })
  })
  dispatcher.offer(acceptedRun(1))
  clock.turn()
  dispatcher.ending(storedRun(1))()
  dispatcher.reopening(storedRun(1))
  assert.deepEqual(log, ['ended run-1', 'cancel run-1', 'reopening run-1'])
})

test('whoever executes a run that was opened again is not told that it had ended before', async () => {
  const clock = manualClock()
  const log: string[] = []
  const ends: (() => void)[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    execute: ({ journal }, _, listener) => {
      const life = journal[0] ?? 'first'
      ends.push(() => listener.done('lost'))
      const tell = (what: string) => log.push(`${what} ${life}`)
      return { cancel: () => tell('cancel'), interrupt: () => {}, notify: tell }
    }
  })
  dispatcher.offer(acceptedRun(1))
  clock.turn()
  const endedFirst = dispatcher.ending(storedRun(1))
  const endedAgain = dispatcher.ending(storedRun(1))
  endedFirst()
  ends[0]!()
  await settle(clock)
  dispatcher.reopening(storedRun(1))
  dispatcher.resume(acceptedRun(1), ['second'])
  clock.turn()
  endedAgain()
  assert.deepEqual(log, ['ended first', 'cancel first'])
})

test('a run that was ended before it was offered is not executed', () => {
  const clock = manualClock()
  const executed: string[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    places: { computing: 4, underWay: 100 },
    limitOf: () => 4,
    execute: ({ run }) => {
      executed.push(run.id)
      return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
    }
  })
  dispatcher.ending(storedRun(1))()
  dispatcher.offer(acceptedRun(1))
  dispatcher.offer(acceptedRun(2))
  clock.turn()
  assert.deepEqual(executed, ['run-2'])
})

describe('a run that waits in line and is ended by others', () => {
  function lineOfTwo() {
    const clock = manualClock()
    const executed: string[] = []
    const ends: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store: emptyStore,
      execute: ({ run, journal }, _, listener) => {
        executed.push([run.id, ...journal].join(' '))
        ends.push(() => listener.done('ended'))
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      }
    })
    for (const seq of [1, 2]) dispatcher.offer(acceptedRun(seq))
    clock.turn()
    const goOn = () => {
      ends.shift()!()
      clock.turn()
    }
    return { clock, dispatcher, executed, goOn }
  }

  it('leaves the line, and nobody writes an end of it any more', () => {
    const { clock, dispatcher, executed, goOn } = lineOfTwo()
    dispatcher.ending(storedRun(2))()
    goOn()
    assert.deepEqual(executed, ['run-1'])
    dispatcher.reopening(storedRun(2))
    dispatcher.resume(acceptedRun(2), ['again'])
    clock.turn()
    assert.deepEqual(executed, ['run-1', 'run-2 again'])
  })

  it('stays in line where it was opened again since', () => {
    const { dispatcher, executed, goOn } = lineOfTwo()
    const ended = dispatcher.ending(storedRun(2))
    dispatcher.reopening(storedRun(2))
    dispatcher.resume(acceptedRun(2), ['again'])
    ended()
    goOn()
    assert.deepEqual(executed, ['run-1', 'run-2 again'])
  })
})
