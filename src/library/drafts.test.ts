import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { builtInCatalogue } from '../contexts/catalogue.test-kit.ts'
import { EXAMPLE_FLOW } from '../flows/document/example-flow.ts'
import type { Signal, Signals } from '../store/shared-store.ts'
import { openFor } from '../store/sqlite/sqlite-subject.test-kit.ts'
import { type DraftChange, Drafts } from './drafts.ts'
import { NO_DEFAULTS } from './entry-defaults.test-kit.ts'
import { FlowLibrary } from './flow-library.ts'

/** Signals between the processes of a test: each hears all others. */
class Bus {
  readonly #listeners = new Set<(signal: Signal) => void>()

  join(): Pick<Signals, 'tell' | 'listen'> {
    let own: ((signal: Signal) => void) | undefined
    return {
      tell: (signal) => {
        for (const listener of this.#listeners) if (listener !== own) listener(signal)
      },
      listen: (listener) => {
        own = listener
        this.#listeners.add(listener)
        return () => void this.#listeners.delete(listener)
      }
    }
  }
}

/** Two processes on one store, with a flow that both know. */
async function twoProcesses(t: TestContext) {
  const { store } = await openFor(t)
  const { newId, now } = manualClock()
  const bus = new Bus()
  const process = async () => {
    const library = new FlowLibrary({
      store: store.flows,
      catalogue: builtInCatalogue(),
      defaults: NO_DEFAULTS,
      isMade: () => false,
      newId,
      now
    })
    const onError = (error: unknown) => assert.fail(String(error))
    return {
      library,
      drafts: new Drafts({
        store: store.drafts,
        keptStore: store.keptDrafts,
        library,
        now,
        onError,
        signals: bus.join()
      })
    }
  }
  const [one, other] = [await process(), await process()]
  const flow = await one.library.create(EXAMPLE_FLOW)
  await other.library.load()
  return { one, other, flow }
}

/** The next that a listener is told. */
function next(drafts: Drafts): Promise<DraftChange> {
  const { promise, resolve } = Promise.withResolvers<DraftChange>()
  const leave = drafts.subscribe((change) => {
    leave()
    resolve(change)
  })
  return promise
}

describe('drafts among several processes', () => {
  it('are told of wherever somebody listens: saved, published and given back', async (t) => {
    const { one, other, flow } = await twoProcesses(t)
    const edit = { revision: 0, author: 'Ann' }
    let told = next(other.drafts)
    await one.drafts.save(flow, { ...EXAMPLE_FLOW, name: 'Mine' }, edit)
    const { draft } = await told
    assert.deepEqual([draft?.revision, draft?.author, draft?.document.name], [1, 'Ann', 'Mine'])
    told = next(other.drafts)
    const published = await one.drafts.publish(flow, { name: 'Spring' })
    assert.equal((await told).draft, null)
    told = next(other.drafts)
    await one.drafts.undoPublish(published, {})
    assert.deepEqual([(await told).draft?.revision, (await told).flow.id], [2, flow.id])
  })

  it('are saved by one of two that edited the same revision', async (t) => {
    const { one, other, flow } = await twoProcesses(t)
    const save = ({ drafts }: typeof one, name: string) =>
      drafts.save(flow, { ...EXAMPLE_FLOW, name }, { revision: 0, author: name })
    const results = await Promise.allSettled([save(one, 'Ann'), save(other, 'Bob')])
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })
})
