import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInTree, registerIn } from '../contexts/catalogue.test-kit.ts'
import { componentCatalogue } from '../contexts/component-catalogue.ts'
import type { MillraceError } from '../errors.ts'
import { EXAMPLE_FLOW } from '../flows/document/example-flow.ts'
import { NO_DEFAULTS } from './entry-defaults.test-kit.ts'
import { clock, library, libraryOn, refusal } from './flow-library.test-kit.ts'
import { FlowLibrary } from './flow-library.ts'
import { MemoryFlowStore } from './flow-store.test-kit.ts'

const { slug: _, ...withoutSlug } = EXAMPLE_FLOW

describe('creating a flow', () => {
  it('leaves a context to the store that may go while the flow is on its way there', async () => {
    let isMade = true
    const asked: boolean[] = []
    class AskedStore extends MemoryFlowStore {
      override create(...given: Parameters<MemoryFlowStore['create']>) {
        asked.push(given[0].isContextMade === true)
        return super.create(...given)
      }
    }
    const flows = new FlowLibrary({
      store: new AskedStore(),
      catalogue: componentCatalogue(builtInTree()),
      defaults: NO_DEFAULTS,
      isMade: () => isMade,
      // Another process removes the context meanwhile, and this one hears of it.
      sealSecrets: async (document) => {
        isMade = false
        return document
      },
      newId: clock.newId,
      now: clock.now
    })
    await flows.create(EXAMPLE_FLOW)
    assert.deepEqual(asked, [true])
  })

  it('makes version 1, found by its id and its slug', async () => {
    const flows = library()
    const flow = await flows.create(EXAMPLE_FLOW)
    assert.deepEqual([flow.version, flow.createdAt, flow.updatedAt], [1, clock.now(), clock.now()])
    assert.deepEqual(flow.document, EXAMPLE_FLOW)
    assert.equal(flows.find(flow.id), flow)
    assert.equal(flows.get('orders'), flow)
    assert.deepEqual(flows.list(), [flow])
  })

  it('gives a flow without a slug one that is free', async () => {
    const flows = library()
    const slugs = [await flows.create(withoutSlug), await flows.create(withoutSlug)].map(({ slug }) => slug)
    assert.deepEqual(slugs, ['orders', 'orders-2'])
  })

  it('refuses a slug that is taken', async () => {
    const flows = library()
    await flows.create(EXAMPLE_FLOW)
    await assert.rejects(flows.create(EXAMPLE_FLOW), refusal('slug_taken', /"orders"\. Choose another/))
    assert.equal(flows.list().length, 1)
  })

  it('refuses a slug that is the id of a flow, which would hide it', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    const other = await flows.create(withoutSlug)
    await assert.rejects(flows.create({ ...EXAMPLE_FLOW, slug: id }), refusal('slug_taken'))
    await assert.rejects(flows.save(other.id, 1, { ...EXAMPLE_FLOW, slug: id }), refusal('slug_taken'))
  })

  it('refuses a document that is not valid, with every fault', async () => {
    const nodes = [{ type: 'parser' }, { id: 'a b', type: 'parser' }]
    await assert.rejects(library().create({ name: 'A', nodes }), (error) => {
      assert.ok(refusal('flow_invalid', /lacks "id".* And 1 more, see errors\.$/)(error))
      return (error as MillraceError).extras.errors?.length === 2
    })
  })
})

describe('saving a flow', () => {
  it('makes the next version live at once', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    clock.advance(1_000)
    const saved = await flows.save(id, 1, { ...EXAMPLE_FLOW, name: 'Renamed' })
    assert.deepEqual([saved.version, saved.document.name], [2, 'Renamed'])
    assert.equal(saved.updatedAt - saved.createdAt, 1_000)
    assert.equal(flows.get(id), saved)
    const { versions } = await flows.versions(id, { limit: 9 })
    assert.deepEqual(
      versions.map(({ version, origin, changes }) => [version, origin, changes]),
      [
        [2, 'saved', 'Name'],
        [1, 'created', null]
      ]
    )
  })

  it('refuses an edit of a version that is no longer live, and says which one is', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await flows.save(id, 1, EXAMPLE_FLOW)
    await assert.rejects(flows.save(id, 1, EXAMPLE_FLOW), (error) => {
      assert.ok(refusal('flow_conflict', /at version 2.*edited from version 1.*Read the flow again/)(error))
      assert.deepEqual((error as MillraceError).extras.members, { current_version: 2, sent_version: 1 })
      return true
    })
  })

  it('lets one of two edits at the same time win', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    const results = await Promise.allSettled([
      flows.save(id, 1, EXAMPLE_FLOW),
      flows.save(id, 1, EXAMPLE_FLOW)
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected']
    )
    assert.equal(flows.get(id).version, 2)
  })

  it('keeps the slug where none is sent, and moves the address where one is', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    assert.equal((await flows.save(id, 1, withoutSlug)).slug, 'orders')
    await flows.save(id, 2, { ...EXAMPLE_FLOW, slug: 'bestellungen' })
    assert.equal(flows.find('orders'), undefined)
    assert.equal(flows.get('bestellungen').id, id)
    assert.equal((await flows.create(EXAMPLE_FLOW)).slug, 'orders')
  })

  it('keeps the context where none is sent: a flow does not leave its guards behind by mistake', async () => {
    const flows = library()
    const { id } = await flows.create({ ...EXAMPLE_FLOW, context: '/sales' })
    const { context: _left, ...withoutContext } = EXAMPLE_FLOW
    assert.equal((await flows.save(id, 1, withoutContext)).context, '/sales')
    assert.equal((await flows.save(id, 2, { ...withoutContext, context: '/' })).context, '/')
  })

  it('explains what is hidden only to those who may know of the context that it lives in', async () => {
    const tree = builtInTree()
    registerIn(tree, '/sales', { type: 'greet', title: 'Greet', run: () => ({}) }, 'sales')
    const flows = libraryOn(new MemoryFlowStore(), tree)
    const document = { ...EXAMPLE_FLOW, nodes: [{ id: 'g', type: 'greet' }], edges: [] }
    await assert.rejects(flows.create(document), refusal('flow_invalid', /it lives in \/sales/))
    await assert.rejects(
      flows.create(document, { knows: (path) => path !== '/sales' }),
      refusal('flow_invalid', /No component "greet" is registered anywhere/)
    )
  })

  it('refuses the slug of another flow', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await flows.create({ ...EXAMPLE_FLOW, slug: 'other' })
    await assert.rejects(flows.save(id, 1, { ...EXAMPLE_FLOW, slug: 'other' }), refusal('slug_taken'))
    assert.equal(flows.get('orders').version, 1)
  })

  it('of an unknown flow is refused', async () => {
    await assert.rejects(library().save('x', 1, EXAMPLE_FLOW), refusal('flow_not_found'))
  })
})

describe('restoring a version', () => {
  it('makes it live again as a version of its own, at the address that callers use now', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await flows.save(id, 1, { ...EXAMPLE_FLOW, name: 'Second', slug: 'second' })
    const restored = await flows.restore(id, 1)
    assert.deepEqual([restored.version, restored.document.name, restored.slug], [3, 'Orders', 'second'])
  })

  it('judges it anew', async () => {
    const tree = builtInTree()
    registerIn(tree, '/', { type: 'gone', title: 'Gone', run: () => ({}) }, 'plugin')
    const store = new MemoryFlowStore()
    const before = libraryOn(store, tree)
    const { id } = await before.create({ name: 'A', nodes: [{ id: 'a', type: 'gone' }] })
    await before.save(id, 1, { name: 'A', nodes: [] })
    const after = libraryOn(store)
    await after.load()
    await assert.rejects(after.restore(id, 1), refusal('flow_invalid', /unknown type "gone"/))
  })

  it('of an unknown version is refused, and says where they are listed', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await assert.rejects(flows.restore(id, 7), refusal('version_not_found', /no version 7.*\/versions lists/))
  })
})

describe('loading', () => {
  it('finds what an earlier process saved', async () => {
    const store = new MemoryFlowStore()
    const before = libraryOn(store)
    const { id } = await before.create(EXAMPLE_FLOW)
    await before.save(id, 1, { ...EXAMPLE_FLOW, name: 'Second' })
    const after = libraryOn(store)
    await after.load()
    assert.equal(after.get('orders').document.name, 'Second')
  })
})

describe('whoever listens', () => {
  it('is told of saves and deletions, with what was before', async () => {
    const flows = library()
    const told: string[] = []
    const leave = flows.subscribe(({ kind, flow, before }) =>
      told.push(`${kind} ${flow.version} after ${before?.version ?? 'none'}`)
    )
    const { id } = await flows.create(EXAMPLE_FLOW)
    await flows.save(id, 1, EXAMPLE_FLOW)
    await flows.restore(id, 1)
    await flows.remove(id)
    await flows.undelete(id)
    const expected = [
      'saved 1 after none',
      'saved 2 after 1',
      'saved 3 after 2',
      'deleted 3 after 3',
      'saved 3 after none'
    ]
    assert.deepEqual(told, expected)
    leave()
    await flows.remove(id)
    assert.deepEqual(told, expected)
  })
})
