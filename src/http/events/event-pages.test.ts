import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { acceptedRun } from '../../runs/record/stored-run.test-kit.ts'
import type { Change } from '../../store/store.ts'
import { type EventPage, EventPages } from './event-pages.ts'

const ALL = { ids: null, name: 'all' }

const queued = (no: number): Change => ({ kind: 'accepted', no, flowId: 'flow-1', run: acceptedRun(no) })

/** A store that answers when it is told to, with what it holds when it is asked. */
function setUp(stored: Change[]) {
  const answers: (() => void)[] = []
  const asked: number[] = []
  const changes = (_: unknown, after: number, limit: number): Promise<Change[]> => {
    asked.push(after)
    const found = stored.filter(({ no }) => no > after).slice(0, limit)
    return new Promise((resolve) => answers.push(() => resolve(found)))
  }
  const clock = manualClock()
  const pages = new EventPages({ runStore: { changes }, clock })
  const answer = () => {
    for (const each of answers.splice(0)) each()
  }
  /** The store answers, and turns of the loop go by. */
  const settle = async () => {
    answer()
    for (let turn = 0; turn < 10; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      clock.turn()
    }
  }
  return { pages, clock, asked, answer, settle }
}

const numbers = ({ changes }: EventPage) => changes.map(({ no }) => no)

describe('pages of events', () => {
  it('are read once for all who ask for the same while it is read, and for who comes soon after', async () => {
    const { pages, asked, settle } = setUp([queued(1), queued(2)])
    const together = Promise.all([pages.read(ALL, 0), pages.read(ALL, 0), pages.read(ALL, 0)])
    await settle()
    const [first, second, third] = await together
    assert.deepEqual(numbers(first), [1, 2])
    assert.ok(first === second && second === third)
    assert.equal(await pages.read(ALL, 0), first)
    assert.deepEqual(asked, [0])
  })

  it('are read apart for other flows and from other places', async () => {
    const { pages, asked, settle } = setUp([queued(1), queued(2)])
    const read = [pages.read(ALL, 0), pages.read({ ids: ['flow-1'], name: 'flow-1' }, 0), pages.read(ALL, 1)]
    await settle()
    assert.deepEqual((await Promise.all(read)).map(numbers), [[1, 2], [1, 2], [2]])
    assert.deepEqual(asked, [0, 0, 1])
    assert.deepEqual(numbers(await pages.read({ ids: [], name: 'none' }, 0)), [])
  })

  it('are empty only where there was nothing after the question', async () => {
    const stored: Change[] = []
    const { pages, settle } = setUp(stored)
    const early = pages.read(ALL, 0)
    stored.push(queued(1))
    const late = [pages.read(ALL, 0), pages.read(ALL, 0)]
    await settle()
    assert.deepEqual(numbers(await early), [])
    await settle()
    assert.deepEqual((await Promise.all(late)).map(numbers), [[1], [1]])
  })

  it('are forgotten after some seconds', async () => {
    const { pages, clock, asked, settle } = setUp([queued(1)])
    const read = async () => {
      const page = pages.read(ALL, 0)
      await settle()
      await page
    }
    await read()
    clock.advance(4_999)
    await read()
    assert.equal(asked.length, 1)
    clock.advance(1)
    await read()
    assert.equal(asked.length, 2)
  })

  it('are written one at a time, a turn of the loop for each', async () => {
    const { pages, clock, answer } = setUp([queued(1), queued(2), queued(3)])
    const order: number[] = []
    for (const after of [0, 1, 2]) void pages.read(ALL, after).then(() => order.push(after))
    answer()
    for (const expected of [[], [0], [0, 1], [0, 1, 2]]) {
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(order, expected)
      clock.turn()
    }
  })

  it('say which change cannot be told, and the others are', async () => {
    const torn: Change = { kind: 'journal', no: 2, flowId: 'flow-1', runId: 'run-1', entry: 'torn' }
    const { pages, settle } = setUp([queued(1), torn, queued(3)])
    const read = pages.read(ALL, 0)
    await settle()
    assert.deepEqual(
      (await read).changes.map(({ events }) => events?.length ?? null),
      [1, null, 1]
    )
    assert.equal(pages.write(torn).events, null)
  })
})
