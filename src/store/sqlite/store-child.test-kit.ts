import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { messageOf } from '../../errors.ts'
import { sampleChild } from '../contract/sample-children.test-kit.ts'
import { sampleWait } from '../contract/sample-waits.test-kit.ts'
import { sampleOutcome, sampleRun } from '../contract/subject.test-kit.ts'
import type { RunRef, Store } from '../store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

/**
 * The other process of the tests that need one: `node store-child.test-kit.ts <act> <folder>`. It says on its
 * standard output, line by line, what it has been promised by the store.
 */
const acts = { hold, load, fill, families }

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Opens the store and keeps it. */
async function hold(): Promise<void> {
  const store = await openSqliteStore({ folder: folder! })
  say('open')
  // What nothing refers to is collected, and its lock with it.
  process.stdin.resume().once('end', () => void store.close())
}

/** Accepts and ends runs until it is killed. */
async function load(): Promise<void> {
  const store = await openSqliteStore({ folder: folder! })
  const prefix = `${process.pid}-${Date.now()}`
  const lane = async (number: number) => {
    for (let n = 0; ; n++) {
      const run = await store.runs.accept(sampleRun({ id: `${prefix}-${number}-${n}` }))
      say(`accepted ${run.id}`)
      await store.runs.checkpoint(run, '"begun"')
      if (n % 3 === 0) continue
      await store.runs.end(run, sampleOutcome())
      say(`ended ${run.id}`)
    }
  }
  await Promise.all(Array.from({ length: 20 }, (_, number) => lane(number)))
}

/** Starts children, waits for them and for calls, and wakes, until it is killed. Says which calls it has answered. */
async function families(): Promise<void> {
  const store = await openSqliteStore({ folder: folder! })
  const { runs } = store
  const lane = async (flowId: string) => {
    for (;;) {
      const parent = await runs.accept(sampleRun({ flowId, id: randomUUID() }))
      const children = Array.from({ length: 7 }, (_, index) =>
        sampleChild(parent, { index }, { id: randomUUID(), flowId: `of ${flowId}` })
      )
      const begun = await runs.startChildren(parent, 'each-1', children, {
        atOnce: 3,
        stopsOnFailure: Math.random() < 0.5
      })
      await runs.openWait(parent, '"waiting"', sampleWait({ id: randomUUID(), expiresAt: null }))
      const entry = '"woken"'
      const called = runs
        .wake({ run: parent, node: 'wait-1', at: 1, entry, answer: null })
        .then(() => say(`called ${parent.id}`))
      await Promise.all([called, runs.park(parent, '"parked"', null, ['each-1', 'wait-1'])])
      for (let due: readonly RunRef[] = begun!; due.length > 0; ) {
        const status = Math.random() < 0.1 ? 'failed' : 'succeeded'
        await Promise.all(due.map((child) => runs.end(child, sampleOutcome({ status }))))
        due = (await runs.takeDue(`of ${flowId}`, 3e12, { runs: 100, bytes: 1e6 })).runs
      }
      if (Math.random() < 0.5) await runs.end(parent, sampleOutcome({ status: 'cancelled' }))
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, number) => lane(`flow ${number}`)))
}

/** Accepts until the disk is full, waits for a word, and accepts again. */
async function fill(): Promise<void> {
  let told = 0
  const store = await openSqliteStore({
    folder: folder!,
    onUnwritable: () => {
      told += 1
    }
  })
  await acceptUntilRefused(store)
  say(`told ${told}`)
  for await (const _ of createInterface(process.stdin)) {
    await store.probe()
    const run = await store.runs.accept(sampleRun({ id: 'after' }))
    say(`accepted ${run.id} ${run.seq}`)
    await store.close()
    return process.stdin.destroy() && undefined
  }
}

async function acceptUntilRefused(store: Store): Promise<void> {
  for (let n = 0; ; n++) {
    const batch = [0, 1, 2].map((part) =>
      store.runs.accept(sampleRun({ id: `${n}-${part}`, input: Buffer.alloc(20_000, 'x') }))
    )
    const results = await Promise.allSettled(batch)
    const refused = results.filter((result) => result.status === 'rejected')
    for (const result of results) if (result.status === 'fulfilled') say(`accepted ${result.value.id}`)
    if (refused.length === 0) continue
    say(`refused ${refused.length} ${refused[0]!.reason.code} ${messageOf(refused[0]!.reason)}`)
    return
  }
}

const [act, folder] = process.argv.slice(2)
await acts[act as keyof typeof acts]()
