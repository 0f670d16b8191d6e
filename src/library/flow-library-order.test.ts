import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { EXAMPLE_FLOW } from '../flows/document/example-flow.ts'
import type { FlowSave, SaveResult } from '../store/store.ts'
import { libraryOn } from './flow-library.test-kit.ts'
import { MemoryFlowStore } from './flow-store.test-kit.ts'

/** The save is done at once, and its answer comes when it is let through. */
class SlowToAnswer extends MemoryFlowStore {
  readonly #gate = Promise.withResolvers<void>()
  readonly #saved = Promise.withResolvers<void>()
  readonly saved = this.#saved.promise

  override async save(save: FlowSave): Promise<SaveResult> {
    const result = await super.save(save)
    this.#saved.resolve()
    await this.#gate.promise
    return result
  }

  letThrough(): void {
    this.#gate.resolve()
  }
}

/** A flow whose save is on its way back while somebody does something else to it. */
async function whileSaving(act: (library: ReturnType<typeof libraryOn>, id: string) => Promise<unknown>) {
  const store = new SlowToAnswer()
  const library = libraryOn(store)
  const { id } = await library.create(EXAMPLE_FLOW)
  const saving = library.save(id, 1, { ...EXAMPLE_FLOW, name: 'Two' })
  await store.saved
  const acting = act(library, id)
  await turnOfTheLoop()
  store.letThrough()
  await Promise.all([saving, acting])
  return { library, id, store }
}

describe('a library alone on its store, whose answers may come in any order', () => {
  it('stays paused where the answer to an earlier save comes after that to the pause', async () => {
    const pause = { mode: 'refuse', by: 'Ann' } as const
    const { library, id } = await whileSaving((library, id) => library.setPaused(id, pause))
    assert.deepEqual([library.get(id).version, library.get(id).paused?.mode], [2, 'refuse'])
    assert.equal((await library.setPaused(id, null)).paused, null)
  })

  it('can resume in the store what was paused there', async () => {
    const pause = { mode: 'hold', by: 'Ann' } as const
    const { library, id, store } = await whileSaving((library, id) => library.setPaused(id, pause))
    await library.setPaused(id, null)
    assert.equal((await store.live())[0]!.paused, null)
  })

  it('stays without a flow that was deleted after the save', async () => {
    const { library, id } = await whileSaving((library, id) => library.remove(id))
    assert.deepEqual([library.find(id), library.find('orders')], [undefined, undefined])
  })
})
