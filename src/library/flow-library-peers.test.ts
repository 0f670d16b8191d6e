import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import fc from 'fast-check'
import { manualClock } from '../clock.test-kit.ts'
import { builtInTree } from '../contexts/catalogue.test-kit.ts'
import { componentCatalogue } from '../contexts/component-catalogue.ts'
import { EXAMPLE_FLOW } from '../flows/document/example-flow.ts'
import type { FlowNews } from '../store/shared-store.ts'
import type { FlowStore } from '../store/store.ts'
import { NO_DEFAULTS } from './entry-defaults.test-kit.ts'
import { FlowLibrary } from './flow-library.ts'
import { MemoryFlowStore } from './flow-store.test-kit.ts'

/** Comes between the store and a process: resolves when a question may arrive, and when its answer may. */
type OnTheWay = (what: 'question' | 'answer') => Promise<unknown>

const AT_ONCE: OnTheWay = async () => {}

interface Process {
  readonly library: FlowLibrary
  bringIn(): Promise<void>
}

const catalogue = componentCatalogue(builtInTree())

/** The library of one process among several on the same store. */
function processOn(store: MemoryFlowStore, onTheWay = AT_ONCE, confirmed = async () => {}): Process {
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    await onTheWay('question')
    const answer = await question()
    await onTheWay('answer')
    return answer
  }
  const slow: Partial<FlowStore> = {
    create: (flow) => ask(() => store.create(flow)),
    save: (save) => ask(() => store.save(save)),
    remove: (id, at) => ask(() => store.remove(id, at)),
    removed: (id) => store.removed(id),
    undelete: (id, undeletion) => ask(() => store.undelete(id, undeletion))
  }
  const bringIn = () =>
    library.bringIn((revision) => ask((): Promise<FlowNews> => store.flowsSince(revision)))
  const { newId, now } = manualClock()
  const library = new FlowLibrary({
    store: slow as FlowStore,
    catalogue,
    defaults: NO_DEFAULTS,
    isMade: () => false,
    newId,
    now,
    peers: { catchUp: bringIn, confirmed }
  })
  return { library, bringIn }
}

/** Holds back one answer: it is on its way from when `left` resolves until it is let through. */
function heldAnswer() {
  const left = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let isHolding = false
  const onTheWay: OnTheWay = async (what) => {
    if (!isHolding || what === 'question') return
    isHolding = false
    left.resolve()
    await gate.promise
  }
  return {
    onTheWay,
    hold: () => {
      isHolding = true
    },
    left: left.promise,
    letThrough: gate.resolve
  }
}

async function twoWithAFlow(onTheWay?: OnTheWay) {
  const store = new MemoryFlowStore()
  const [a, b] = [processOn(store, onTheWay), processOn(store)]
  const { id } = await a.library.create(EXAMPLE_FLOW)
  await b.bringIn()
  return { a, b, id, store }
}

const renamed = (name: string) => ({ ...EXAMPLE_FLOW, name })

describe('a library among others on one store', () => {
  it('stays at what another process saved while the answer to its own save was on its way', async () => {
    const answer = heldAnswer()
    const { a, b, id } = await twoWithAFlow(answer.onTheWay)
    answer.hold()
    const saving = a.library.save(id, 1, renamed('Two'))
    await answer.left
    await b.bringIn()
    await b.library.save(id, 2, renamed('Three'))
    const bringing = a.bringIn()
    await turnOfTheLoop()
    answer.letThrough()
    assert.equal((await saving).version, 2, 'whoever saved is told of what they saved')
    await bringing
    assert.deepEqual([a.library.get(id).version, a.library.get(id).document.name], [3, 'Three'])
    assert.equal((await a.library.save(id, 3, renamed('Four'))).version, 4)
  })

  it('asks whether somebody may edit a flow of the flow as another process saved it', async () => {
    const { a, b, id } = await twoWithAFlow()
    await b.library.save(id, 1, renamed('Moved'))
    const asked: string[] = []
    const assertMayEdit = ({ document }: { document: { name: string } }) => {
      asked.push(document.name)
      throw new Error('not any more')
    }
    await assert.rejects(a.library.save(id, 2, renamed('Three'), { assertMayEdit }), /not any more/)
    assert.deepEqual(asked, ['Moved'])
  })

  it('stays without a flow that another process deleted meanwhile', async () => {
    const answer = heldAnswer()
    const { a, b, id } = await twoWithAFlow(answer.onTheWay)
    answer.hold()
    const saving = a.library.save(id, 1, renamed('Two'))
    await answer.left
    await b.library.remove(id)
    const bringing = a.bringIn()
    await turnOfTheLoop()
    answer.letThrough()
    await Promise.all([saving, bringing])
    assert.deepEqual([a.library.find(id), a.library.find('orders')], [undefined, undefined])
  })

  it('takes nothing in that was read before it deleted the flow', async () => {
    const answer = heldAnswer()
    const { a, b, id } = await twoWithAFlow(answer.onTheWay)
    await b.library.save(id, 1, renamed('Two'))
    answer.hold()
    const bringing = a.bringIn()
    await answer.left
    const removing = a.library.remove(id)
    await turnOfTheLoop()
    answer.letThrough()
    await Promise.all([bringing, removing])
    assert.equal(a.library.find(id), undefined)
  })

  it('runs what was saved here before the others have it, and answers when they do', async () => {
    const store = new MemoryFlowStore()
    const others = Promise.withResolvers<void>()
    const { library } = processOn(store, AT_ONCE, () => others.promise)
    let isAnswered = false
    const live = Promise.withResolvers<void>()
    library.subscribe(() => live.resolve())
    const creating = library.create(EXAMPLE_FLOW).then(() => {
      isAnswered = true
    })
    await live.promise
    assert.deepEqual([library.get('orders').version, isAnswered], [1, false])
    others.resolve()
    await creating
  })

  it('comes to what the store holds, in whatever order questions and answers arrive', async () => {
    const deed = fc.constantFrom('save', 'remove', 'undelete', 'move', 'bring in')
    const deeds = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), deed), { minLength: 2, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), deeds, async (scheduler, plan) => {
        const store = new MemoryFlowStore()
        const onTheWay: OnTheWay = (what) => scheduler.schedule(Promise.resolve(), what)
        const processes = [processOn(store, onTheWay), processOn(store, onTheWay)]
        const made = processes[0]!.library.create(EXAMPLE_FLOW)
        const under = Promise.all([made, ...processes.map(({ bringIn }) => bringIn())])
        await scheduler.waitFor(under)
        const { id } = await made
        const done = plan.map(([place, what]) => act(processes[place]!, id, what))
        await scheduler.waitFor(Promise.allSettled(done))
        await scheduler.waitFor(Promise.all(processes.map(({ bringIn }) => bringIn())))
        const stored = (await store.live()).map(({ id, slug, version }) => ({ id, slug, version }))
        for (const { library } of processes) {
          const held = library.list().map(({ id, slug, version }) => ({ id, slug, version }))
          assert.deepEqual(held, stored)
          for (const { id, slug } of stored) assert.equal(library.find(slug)?.id, id)
          for (const slug of ['orders', 'moved']) {
            if (!stored.some((flow) => flow.slug === slug)) assert.equal(library.find(slug), undefined)
          }
        }
      }),
      { numRuns: 100 }
    )
  })
})

async function act({ library, bringIn }: Process, id: string, what: string): Promise<unknown> {
  const version = library.find(id)?.version ?? 1
  switch (what) {
    case 'save':
      return library.save(id, version, renamed('Saved'))
    case 'move':
      return library.save(id, version, { ...EXAMPLE_FLOW, slug: 'moved' })
    case 'remove':
      return library.remove(id)
    case 'undelete':
      return library.undelete(id)
    default:
      return bringIn()
  }
}
