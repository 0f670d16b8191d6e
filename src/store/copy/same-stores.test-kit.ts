import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { cleanUp } from '../../../test/support/clean-up.ts'
import { listedIds, sampleRun } from '../contract/subject.test-kit.ts'
import { openPostgresStore } from '../postgres/open-postgres-store.ts'
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts'
import type { Change, Store } from '../store.ts'
import { filledFlows } from './filled-store.test-kit.ts'

/** Asks both stores everything that a store can be asked, in the words of the service, and compares the answers. */
export async function assertSameStores(t: TestContext, folder: string, url: string): Promise<void> {
  const embedded = await openSqliteStore({ folder })
  cleanUp(t, () => embedded.close())
  const shared = await openPostgresStore({ url, processId: 'compare' })
  cleanUp(t, () => shared.close())
  const [before, after] = [await answersOf(embedded), await answersOf(shared)]
  for (const question of Object.keys(before)) assert.deepEqual(after[question], before[question], question)
  await embedded.close()
  await shared.close()
}

async function fileOf({ files }: Store, id: string): Promise<unknown> {
  return { ...(await files.get(id)), flows: await files.flowsOf(id) }
}

async function answersOf(store: Store): Promise<Record<string, unknown>> {
  const ids = await listedIds(store)
  const backlog = await store.runs.backlog()
  const answers: Record<string, unknown> = {
    'live flows': byId(await store.flows.live()),
    'removed flow': await store.flows.removed('gone'),
    versions: await Promise.all(
      [...filledFlows, 'gone'].map((id) => store.flows.versions(id, { limit: 10 }))
    ),
    drafts: await Promise.all(filledFlows.map((id) => store.drafts.find(id))),
    pins: await Promise.all(filledFlows.map((id) => store.pins.ofFlow(id))),
    aliases: await Promise.all(filledFlows.map((id) => store.flows.aliases(id))),
    triggers: await store.triggers.list(),
    'taken by a trigger': await store.triggers.taken('flow-b', 'watch-1'),
    contexts: await store.contexts.list(),
    keys: byId(await store.keys.list()),
    connections: await store.connections.list(),
    tokens: await store.tokens.list(),
    documents: await store.documents.list(),
    secret: await store.signIns.secret('another'),
    'ended sessions': await store.signIns.endedSessions(),
    'order of runs': ids,
    tests: await listedIds(store, { isTest: true }),
    'failed runs': await listedIds(store, { status: 'failed' }),
    'open runs': await listedIds(store, { status: 'open' }),
    backlog: [...backlog].sort(),
    files: await Promise.all(['uploaded', 'file-0', 'file-7', 'file-14'].map((id) => fileOf(store, id))),
    'bytes of files': await store.files.bytesAfter('', 100),
    'next due': await store.runs.nextDue(0),
    changes: await allChanges(store),
    'last change': await store.runs.lastChange()
  }
  // The checksums of the copy have compared all of them already. Seven meets each of the eight fates.
  for (const id of ids.filter((_, place) => place % 7 === 0)) {
    const run = (await store.runs.get(id))!
    answers[`long values of run ${id}`] = await Promise.all(
      [0, 1, 2].map(async (piece) => {
        const bytes = await store.runs.readPiece(run.seq, 'wéb "hook"/text', piece)
        return bytes === undefined ? null : Buffer.from(bytes).toString('hex')
      })
    )
    answers[`document of run ${id}`] = await store.runs.testDocument(run.seq)
    answers[`scope of run ${id}`] = await store.runs.testScope(run.seq)
    answers[`run ${id}`] = plain({ ...run, input: Buffer.from(run.input).toString('hex') })
  }
  for (const place of [0, 4, 8]) {
    const again = sampleRun({ createdAt: 1_700_000_001_000 })
    answers[`delivery ${place}`] = await store.runs.acceptOnce(again, [
      { key: `delivery-${place}`, body: place === 8 ? 'another body' : null }
    ])
  }
  for (const flowId of filledFlows) {
    const { messages } = await store.messages.list({ flowId, limit: 100_000 })
    // Their numbers are each store's own.
    answers[`messages of ${flowId}`] = plain(messages.map(({ at: _, ...message }) => message))
    const names = [...new Set(messages.map(({ session }) => session))]
    answers[`notes of ${flowId}`] = (await store.sessions.notes(flowId, names)).map(
      ({ summary, ...note }) => {
        const last = messages.find(({ at }) => isDeepStrictEqual(at, summary?.upTo))
        return { ...note, text: summary?.text, upTo: last?.id }
      }
    )
    const waiting = await store.runs.queued(flowId, 0, { runs: 100_000, bytes: 1e9 })
    answers[`waiting in ${flowId}`] = waiting.runs.map(({ id }) => id)
    for (const node of ['parser-1', 'wéb "hook"', 'none']) {
      answers[`output of ${node} in ${flowId}`] = (await store.runs.latestWithOutput(flowId, node))?.id
    }
  }
  answers.spent = await store.spending.spent({
    ...{ fromDay: '2026-01-01', untilDay: '2026-12-31' },
    ...{ after: undefined, limit: 10_000 }
  })
  answers.budgets = [await store.spending.budgets(), await store.spending.prices()]
  return answers
}

async function allChanges(store: Store): Promise<Change[]> {
  const all: Change[] = []
  for (;;) {
    const page = await store.runs.changes(null, all.at(-1)?.no ?? 0, 1_000)
    if (page.length === 0) return all
    all.push(...page)
  }
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** PostgreSQL keeps no NUL. Read as text first: what holds bytes is of another class in each store. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'string' ? inner.replaceAll('\0', '\uFFFD') : inner
    )
  )
}
