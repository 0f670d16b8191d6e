import { test } from 'node:test'
import type { StoredDocument } from '../connection-documents.ts'
import type { StoredConnection } from '../connections.ts'
import type { StoredKey } from '../credentials.ts'
import type { NewFile } from '../files.ts'
import type { HungStepNotes } from '../hung-steps.ts'
import type { NewMessage } from '../message-store.ts'
import type { AcceptedRun, NewFlow, NewRun, Outcome, RunFilter, Store } from '../store.ts'

export interface StoreSubject {
  readonly store: Store
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<Store>
  openHungStepNotes(): Promise<HungStepNotes>
  cleanup(): Promise<void>
}

interface SubjectNeeds {
  /** False where a store will do that is empty, but was open before. */
  readonly isNew: boolean
}

export type OpenSubject = (needs: SubjectNeeds) => Promise<StoreSubject>

type StoreTest = (open: OpenSubject, name: string, body: (subject: StoreSubject) => Promise<void>) => void

/** A test on a store that is empty. */
export const storeTest: StoreTest = (open, name, body) => testOn(() => open({ isNew: false }), name, body)

/** On one that was never open: for whoever closes it, or makes it keep in mind what the next one must not know. */
export const newStoreTest: StoreTest = (open, name, body) => testOn(() => open({ isNew: true }), name, body)

function testOn(
  open: () => Promise<StoreSubject>,
  name: string,
  body: (subject: StoreSubject) => Promise<void>
): void {
  test(name, async () => {
    const subject = await open()
    try {
      await body(subject)
    } finally {
      await subject.cleanup()
    }
  })
}

/** The store as it is, and then after a restart. */
export async function* beforeAndAfterRestart({ store, reopen }: StoreSubject): AsyncGenerator<Store> {
  yield store
  yield await reopen()
}

let lastId = 0

/** Ordered in time, as real ids are. */
export function sampleId(): string {
  lastId += 1
  return `01980000-${String(lastId).padStart(12, '0')}`
}

export function sampleRun(given: Partial<NewRun> = {}): NewRun {
  return {
    id: sampleId(),
    flowId: 'flow-a',
    flowVersion: 1,
    trigger: 'webhook',
    session: 'session-1',
    createdAt: 1_700_000_000_000,
    input: Buffer.from('{"order":7}'),
    request: null,
    replayOf: null,
    context: null,
    ...given
  }
}

/** With bytes of its own. */
export function sampleFile(given: Partial<NewFile> = {}): NewFile {
  const id = sampleId()
  return {
    id: `file_${id}`,
    digest: `digest of ${id}`,
    name: `name-${id}`,
    filename: 'Rechnung für Ännchen.pdf',
    contentType: 'application/pdf',
    size: 48_213,
    context: '/sales',
    uploadedBy: null,
    ...given
  }
}

export function sampleOutcome(given: Partial<Outcome> = {}): Outcome {
  return {
    status: 'succeeded',
    startedAt: 1_700_000_000_001,
    finishedAt: 1_700_000_000_002,
    error: null,
    steps: '[]',
    messages: [],
    nodesWithOutput: [],
    usage: [],
    ...given
  }
}

export function sampleFlow(given: Partial<NewFlow> = {}): NewFlow {
  const id = sampleId()
  return { id, slug: `slug-${id}`, context: '/', document: '{"name":"Orders"}', createdAt: 1000, ...given }
}

export function sampleMessage(given: Partial<NewMessage> = {}): NewMessage {
  return { id: sampleId(), session: 'session-1', sender: 'Machine', text: 'Hello', createdAt: 1000, ...given }
}

export function sampleKey(given: Partial<StoredKey> = {}): StoredKey {
  return {
    id: sampleId(),
    name: 'deploy',
    hash: 'ab'.repeat(32),
    hint: 'mr_abc',
    rights: ['trigger', 'read'],
    flowId: null,
    context: '/orders',
    createdAt: 1000,
    expiresAt: null,
    lastUsedAt: null,
    ...given
  }
}

export function sampleConnection(given: Partial<StoredConnection> = {}): StoredConnection {
  return {
    id: sampleId(),
    name: 'shop',
    kind: 'http',
    context: '/',
    settings: '{"base_url":"https://shop.example"}',
    secrets: '{"token":"sealed"}',
    isTrusted: false,
    revision: 1,
    createdAt: 1000,
    updatedAt: 1000,
    ...given
  }
}

export function sampleDocument(given: Partial<StoredDocument> = {}): StoredDocument {
  return {
    id: sampleId(),
    connectionId: 'connection',
    format: 'OpenAPI 3.1',
    title: 'Shöp',
    version: '1.0',
    server: null,
    size: 3_000_000_000,
    operations: 2,
    updatedAt: 1000,
    ...given
  }
}

/** Accepts so many runs, handed in together; resolves in their order. */
export function acceptMany(store: Store, count: number, given: Partial<NewRun> = {}): Promise<AcceptedRun[]> {
  return Promise.all(Array.from({ length: count }, () => store.runs.accept(sampleRun(given))))
}

export async function acceptAndEnd(
  store: Store,
  given: Partial<NewRun> = {},
  outcome: Partial<Outcome> = {}
): Promise<AcceptedRun> {
  const run = await store.runs.accept(sampleRun(given))
  await store.runs.end(run, sampleOutcome(outcome))
  return run
}

/** Ids of every run that the filter finds, page after page. */
export async function listedIds(store: Store, filter: Partial<RunFilter> = {}): Promise<string[]> {
  const ids: string[] = []
  let before: number | undefined
  for (;;) {
    const page = await store.runs.list({ limit: 100, ...filter, ...(before === undefined ? {} : { before }) })
    ids.push(...page.runs.map((run) => run.id))
    if (page.next === null) return ids
    before = page.next
  }
}
