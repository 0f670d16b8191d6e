import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPostgres } from '../../../../test/support/postgres.ts'
import { sampleFlow, sampleKey } from '../../contract/subject.test-kit.ts'
import type { SharedStore, Signal } from '../../shared-store.ts'
import { openTwo } from '../shared-stores.test-kit.ts'

const postgres = ownPostgres()

/** What a store hears, and a way to wait for it. */
function listener(store: SharedStore) {
  const heard: Signal[] = []
  let onHeard: (() => void) | undefined
  store.signals.listen((signal) => {
    heard.push(signal)
    onHeard?.()
  })
  return {
    heard,
    async until(isThere: (heard: readonly Signal[]) => boolean): Promise<void> {
      while (!isThere(heard)) {
        await new Promise<void>((resolve) => {
          onHeard = resolve
        })
      }
    }
  }
}

const flowsOf = (signals: readonly Signal[]) => signals.flatMap((signal) => signal.work ?? [])

test('what one process tells, the others hear, and it does not hear itself', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const [own, other] = [listener(a), listener(b)]
  a.signals.tell({ work: ['flow-a'], changed: { 'flow-a': 5 } })
  a.signals.tell({
    work: ['flow-a', 'flow-b'],
    changed: { 'flow-a': 4, 'flow-b': 9 },
    cancel: ['run-1'],
    woken: ['run-2']
  })
  a.signals.tell({ drafts: ['flow-b'] })
  await a.signals.flush()
  b.signals.tell({ saved: { keys: 3 } })
  b.signals.tell({ saved: { keys: 2 }, broughtIn: { flows: 7 } })
  await own.until((heard) => heard.length > 0)
  assert.deepEqual(own.heard, [{ from: 'b', saved: { keys: 3 }, broughtIn: { flows: 7 } }])
  await other.until((heard) => heard.length > 0)
  assert.deepEqual(other.heard, [
    {
      from: 'a',
      work: ['flow-a', 'flow-b'],
      changed: { 'flow-a': 5, 'flow-b': 9 },
      cancel: ['run-1'],
      woken: ['run-2'],
      drafts: ['flow-b']
    }
  ])
})

test('more than fits into one notification goes in several', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const { heard, until } = listener(b)
  const flows = Array.from({ length: 1000 }, (_, n) => `flow-${n}-${'x'.repeat(30)}`)
  a.signals.tell({ work: flows })
  await until((signals) => flowsOf(signals).length >= flows.length)
  assert.deepEqual(flowsOf(heard), flows)
  assert.ok(heard.length > 1)
})

test('text of any length comes whole and in order, before the changes that are told with it', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const { heard, until } = listener(b)
  const text = '\0\u{1f33b}"'.repeat(3_000)
  const place = { flowId: 'flow-1', runId: 'run-1', node: 'A' }
  a.signals.tell({ changed: { 'flow-1': 5 }, listening: [null, 'flow-2'] })
  a.signals.tell({ text: [{ ...place, at: 7, text }] })
  await until((signals) => signals.some(({ changed }) => changed !== undefined))
  const pieces = heard.flatMap((signal) => signal.text ?? []).filter((piece) => 'text' in piece)
  assert.equal(pieces.map((piece) => piece.text).join(''), text)
  assert.deepEqual([pieces[0]!.at, pieces[1]!.at], [7, 7 + pieces[0]!.text.length])
  assert.deepEqual({ ...pieces[0], ...place }, pieces[0])
  assert.deepEqual(heard.find(({ listening }) => listening !== undefined)?.listening, [null, 'flow-2'])
})

test('other programs on the channel do no harm', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  const { heard, until } = listener(b)
  for (const payload of ['', 'not json', 'null', '5', '{}']) {
    await sql("SELECT pg_notify('millrace', $1)", [payload])
  }
  a.signals.tell({ cancel: ['run-1'] })
  await until((signals) => signals.some((signal) => signal.cancel !== undefined))
  assert.deepEqual(heard.at(-1), { from: 'a', cancel: ['run-1'] })
})

test('who saves flows, keys or contexts tells the others', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const { heard, until } = listener(b)
  const flow = sampleFlow()
  await a.flows.create(flow)
  await a.library.confirmed('flows')
  await a.keys.put(sampleKey())
  await a.library.confirmed('keys')
  await a.contexts.remove('none')
  await until((signals) => signals.length === 3)
  assert.deepEqual(
    heard.map(({ saved }) => Object.keys(saved ?? {})),
    [['flows'], ['keys'], ['contexts']]
  )
  const before = await b.library.flowsSince(0)
  assert.deepEqual([before.live.map(({ id }) => id), before.removed], [[flow.id], []])
  await a.flows.remove(flow.id, 5)
  const after = await b.library.flowsSince(before.revision)
  assert.deepEqual([after.live, after.removed], [[], [flow.id]])
  assert.deepEqual(await b.library.flowsSince(after.revision), { ...after, removed: [] })
})

test('a save is confirmed when the other web processes have brought it in, and not much later', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  const facts = { role: 'web', host: 'somewhere', pid: 7, version: '1.2.3' }
  for (const [store, id] of [
    [a, 'a'],
    [b, 'b']
  ] as const) {
    await store.processes.pulse({ id, ...facts })
  }
  // However slow this machine is, they have told a moment ago that they are alive.
  await sql("UPDATE millrace.processes SET seen_at = now() + interval '1 hour'")
  let isConfirmed = false
  const { until } = listener(b)
  await a.keys.put(sampleKey())
  const confirmed = a.library.confirmed('keys').then(() => {
    isConfirmed = true
  })
  await a.library.confirmed('flows')
  await until((signals) => signals.length > 0)
  assert.equal(isConfirmed, false)
  b.signals.tell({ broughtIn: { keys: 1 } })
  await confirmed
  // Nobody answers for this one: nobody waits for ever.
  await a.keys.put(sampleKey())
  await a.library.confirmed('keys')
})

test('that a wait has ended is told when the connection is back, where it was away', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  const [own, other] = [listener(a), listener(b)]
  // That of a was opened first.
  await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'millrace signals' AND datname = current_database() ORDER BY backend_start LIMIT 1`)
  a.signals.tell({ woken: ['run-1'], work: ['flow-a'] })
  await a.signals.flush()
  await own.until((heard) => heard.some(({ missed }) => missed))
  a.signals.tell({ cancel: ['run-2'] })
  await other.until((heard) => heard.some(({ cancel }) => cancel !== undefined))
  assert.deepEqual(
    other.heard.flatMap(({ woken = [], work = [] }) => [...woken, ...work]),
    ['run-1']
  )
})

test('after the connection was lost everybody is told to look, and hears again', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const { heard, until } = listener(b)
  const first = listener(a)
  await (await postgres.server()).restart()
  await Promise.all([
    until((signals) => signals.some((signal) => signal.missed)),
    first.until((signals) => signals.some((signal) => signal.missed))
  ])
  a.signals.tell({ cancel: ['run-1'] })
  await until((signals) => signals.some((signal) => signal.cancel !== undefined))
  assert.deepEqual(heard, [{ missed: true }, { from: 'a', cancel: ['run-1'] }])
})
