import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ended, many, open, queued, RunsServer } from './run-feed.test-kit.ts'
import { runAt } from './run-summary.test-kit.ts'

describe('a feed of runs', () => {
  it('asks what was sent to a run that events told of, once for many', async () => {
    const server = await open(many(3))
    for (const second of [4, 5]) server.happen(runAt(second, { status: 'queued', summary: `n: ${second}` }))
    const told = () =>
      server.feed
        .view()
        .rows.slice(0, 2)
        .map(({ summary }) => summary)
    assert.deepEqual(told(), ['', ''])
    await server.timePasses()
    assert.deepEqual(told(), ['n: 5', 'n: 4'])
    assert.equal(server.asked.length, 2)
  })

  it('is not ready until its first page has come', async () => {
    const server = new RunsServer(many(3))
    server.isSlow = true
    server.feed.start()
    assert.equal(server.feed.view().isReady, false)
    await server.settled()
    const { isReady, isComplete, rows } = server.feed.view()
    assert.deepEqual([isReady, isComplete, rows.length], [true, true, 3])
  })

  it('loads only as far as somebody looks, with some in reserve', async () => {
    const server = await open(many(5_000))
    assert.equal(server.feed.view().rows.length, 100)
    server.feed.see(20)
    await server.settled()
    assert.equal(server.feed.view().rows.length, 1_600)
    server.feed.see(4_990)
    await server.settled()
    assert.deepEqual([server.feed.view().rows.length, server.feed.view().isComplete], [5_000, true])
    assert.ok(server.asked.every(({ limit }) => limit <= 500))
  })

  it('goes on with a search that ended early before it found anything', async () => {
    const server = new RunsServer([ended(0, 'failed'), ...many(1_000).slice(1)], { status: 'failed' })
    server.scanned = 50
    server.feed.start()
    await server.settled()
    const { isComplete } = server.feed.view()
    assert.deepEqual([server.shown(), isComplete], [['0 failed'], true])
    assert.equal(server.asked.length, 20)
  })

  it('does not begin anew because a search of the newest runs ended early', async () => {
    const server = new RunsServer([...many(200), ended(200, 'failed')], { status: 'failed' })
    server.scanned = 50
    server.feed.start()
    await server.settled()
    for (let second = 201; second < 260; second++) server.happenSilently(ended(second))
    const { length } = server.asked
    server.feed.askAgain()
    await server.timePasses()
    assert.deepEqual([server.shown(), server.asked.length - length], [['200 failed'], 1])
  })

  it('says what went wrong and goes on when asked to', async () => {
    const server = await open(many(300))
    server.failure = new Error('no answer')
    server.feed.see(50)
    await server.settled()
    assert.equal(server.feed.view().error, server.failure)
    server.failure = undefined
    server.feed.retry()
    await server.settled()
    assert.deepEqual([server.feed.view().error, server.feed.view().rows.length], [null, 300])
  })

  it('shows new runs and what becomes of them, without asking', async () => {
    const server = await open([ended(1)])
    server.happen(queued(2))
    assert.deepEqual(server.shown(), ['2 queued', '1 succeeded'])
    server.happen(runAt(2, { status: 'in progress' }))
    assert.deepEqual(server.shown(), ['2 in progress', '1 succeeded'])
    server.happen(ended(2, 'failed'))
    assert.deepEqual(server.shown(), ['2 failed', '1 succeeded'])
    assert.equal(server.asked.length, 1)
  })

  it('does not take an old page for the newest truth', async () => {
    const server = new RunsServer([runAt(1, { status: 'in progress' })])
    server.isSlow = true
    server.feed.start()
    server.happen(ended(1))
    await server.settled()
    assert.deepEqual(server.shown(), ['1 succeeded'])
  })

  it('keeps runs that came before its first page', async () => {
    const server = new RunsServer([ended(1)])
    server.isSlow = true
    server.feed.start()
    server.happen(queued(2))
    await server.settled()
    assert.deepEqual(server.shown(), ['2 queued', '1 succeeded'])
  })
})

describe('while somebody reads', () => {
  it('new runs wait, and states change in place', async () => {
    const server = await open([queued(1)])
    server.feed.freeze(true)
    server.happen(queued(2), queued(3), ended(1))
    assert.deepEqual([server.shown(), server.feed.view().fresh], [['1 succeeded'], 2])
    server.happen(ended(2))
    server.feed.freeze(false)
    assert.deepEqual(server.shown(), ['3 queued', '2 succeeded', '1 succeeded'])
    assert.equal(server.feed.view().fresh, 0)
  })

  it('what waits can be asked for', async () => {
    const server = await open([ended(1)])
    server.feed.freeze(true)
    server.happen(queued(2))
    server.feed.showFresh()
    assert.deepEqual(server.shown(), ['2 queued', '1 succeeded'])
  })

  it('a run that stopped matching stays until nobody does', async () => {
    const server = await open([queued(1), queued(2)], { status: 'queued' })
    server.feed.freeze(true)
    server.happen(runAt(2, { status: 'in progress' }))
    assert.deepEqual(server.shown(), ['2 in progress', '1 queued'])
    server.feed.freeze(false)
    assert.deepEqual(server.shown(), ['1 queued'])
  })
})

describe('a feed of runs in one state', () => {
  it('takes in a run when it gets there', async () => {
    const server = await open([ended(1, 'failed')], { status: 'failed' })
    server.happen(queued(2), queued(3))
    assert.deepEqual(server.shown(), ['1 failed'])
    server.happen(ended(2, 'failed'), ended(3))
    assert.deepEqual(server.shown(), ['2 failed', '1 failed'])
  })

  it('asks for a run that it does not know', async () => {
    const server = await open([ended(1, 'failed')], { status: 'failed' })
    server.happen(ended(0, 'failed'))
    await server.timePasses()
    assert.deepEqual(server.shown(), ['1 failed', '0 failed'])
  })

  it('lets a run go that is opened again, and takes it back', async () => {
    const server = await open([ended(1, 'failed')], { status: 'failed' })
    const again = runAt(1, { status: 'queued' })
    server.happen(again)
    assert.deepEqual(server.shown(), [])
    server.happen(ended(1, 'failed'))
    await server.timePasses()
    assert.deepEqual(server.shown(), ['1 failed'])
  })
})

describe('a feed that only the service can judge', () => {
  it('asks for its head again when something happened, once for many things', async () => {
    const server = await open([ended(1)], { q: 'ann' })
    server.happen(queued(2))
    server.happen(queued(3))
    assert.deepEqual(server.shown(), ['1 succeeded'])
    await server.timePasses()
    assert.deepEqual(server.shown(), ['3 queued', '2 queued', '1 succeeded'])
    assert.equal(server.asked.length, 2)
  })

  it('begins anew when more came than one page holds, but not under a reader', async () => {
    const server = await open([ended(0)], { q: 'ann' })
    server.feed.freeze(true)
    server.happen(...Array.from({ length: 250 }, (_, index) => queued(index + 1)))
    await server.timePasses()
    assert.deepEqual(server.shown(), ['0 succeeded'])
    server.feed.freeze(false)
    await server.settled()
    const { rows, isComplete } = server.feed.view()
    assert.deepEqual([rows.length, rows[0]!.id, isComplete], [100, 'run-0250', false])
    server.feed.see(99)
    await server.settled()
    assert.equal(server.feed.view().rows.length, 251)
  })
})

describe('a feed after a lost connection', () => {
  it('finds what nobody told it', async () => {
    const server = await open([ended(1), queued(2)])
    server.happenSilently(ended(2), queued(3))
    server.feed.catchUp({ isResumed: true })
    await server.timePasses()
    assert.deepEqual(server.shown(), ['3 queued', '2 succeeded', '1 succeeded'])
  })

  it('reads every row again where the events do not go on from the last one', async () => {
    const server = await open([queued(1), ...Array.from({ length: 150 }, (_, index) => ended(index + 2))])
    server.feed.see(99)
    await server.settled()
    assert.equal(server.shown().at(-1), '1 queued')
    server.happenSilently(ended(1))
    server.feed.catchUp({ isResumed: false })
    await server.timePasses()
    await server.settled()
    assert.deepEqual([server.shown().length, server.shown().at(-1)], [151, '1 succeeded'])
  })
})
