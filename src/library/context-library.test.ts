import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOON } from '../clock.test-kit.ts'
import { ContextTree } from '../contexts/context-tree.ts'
import { MillraceError } from '../errors.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { ContextLibrary, type NewContext } from './context-library.ts'
import { MemoryContextStore } from './context-store.test-kit.ts'

interface Parts {
  readonly store?: MemoryContextStore
  /** Names of contexts that plugins make below the root. */
  readonly code?: readonly string[]
}

/** A library over a frozen tree, as it is while the service runs. */
async function open({ store = new MemoryContextStore(), code = ['sales'] }: Parts = {}) {
  const tree = new ContextTree()
  for (const name of code) tree.fork('/', name)
  for (const name of code) {
    const variable = { kind: 'variable', name: 'made_by', value: name, owner: name, source: null } as const
    tree.register(`/${name}`, variable)
  }
  tree.freeze()
  const [inhabited, unfinished] = [new Set<string>(), new Set<string>()]
  let ids = 0
  let meanwhile = () => {}
  const library = new ContextLibrary({
    store,
    tree,
    newId: () => `id-${store.contexts.size}-${ids++}`,
    now: () => NOON,
    isInhabited: (path) => isAtOrBelow(inhabited, path),
    hasUnfinishedRuns: async (path) => {
      const answer = isAtOrBelow(unfinished, path)
      meanwhile()
      return answer
    }
  })
  await library.load()
  const whileLooking = (then: () => void) => {
    meanwhile = then
  }
  return { library, tree, store, inhabited, unfinished, whileLooking }
}

function isAtOrBelow(places: ReadonlySet<string>, path: string): boolean {
  return [...places].some((place) => place === path || place.startsWith(`${path}/`))
}

function news(parent: string, name: string, variables: Record<string, JsonValue> = {}): NewContext {
  return { parent, name, variables, settings: {} }
}

function refusal(code: string, says: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof MillraceError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, says)
    return true
  }
}

describe('making a context', () => {
  it('puts it into the tree and the store, below code or data', async () => {
    const { library, tree, store } = await open()
    const eu = await library.create(news('/sales', 'eu', { region: 'eu' }))
    await library.create(news('/sales/eu', 'west'))
    assert.deepEqual(tree.paths(), ['/', '/sales', '/sales/eu', '/sales/eu/west'])
    assert.equal(tree.find('/sales/eu/west', 'variable', 'region')?.value, 'eu')
    assert.equal(tree.find('/sales/eu/west', 'variable', 'region')?.owner, 'the API')
    assert.equal(library.find(eu.id), eu)
    assert.equal(library.find('/sales/eu'), eu)
    assert.deepEqual(
      (await store.list()).map(({ path }) => path),
      ['/sales/eu', '/sales/eu/west']
    )
  })

  it('is refused where the parent is not, or the name is taken', async () => {
    const { library } = await open()
    await assert.rejects(
      library.create(news('/nowhere', 'eu')),
      refusal('context_not_found', /no context "\/nowhere" to put "eu" into/)
    )
    await library.create(news('/', 'eu'))
    for (const name of ['eu', 'sales']) {
      await assert.rejects(library.create(news('/', name)), refusal('context_exists', /already/))
    }
  })

  it('twice at once makes one', async () => {
    const { library, store } = await open()
    const [first, second] = await Promise.allSettled([
      library.create(news('/', 'eu')),
      library.create(news('/', 'eu'))
    ])
    assert.equal(first.status, 'fulfilled')
    assert.ok(second.status === 'rejected' && refusal('context_exists', /already/)(second.reason))
    assert.equal(store.contexts.size, 1)
  })

  it('that the store refuses leaves the tree as it was, and the next one is taken', async () => {
    const { library, tree, store } = await open()
    store.refusal = new MillraceError('store_unwritable', 'No space is left.')
    await assert.rejects(library.create(news('/', 'eu')), refusal('store_unwritable', /space/))
    assert.ok(!tree.has('/eu'))
    await library.create(news('/', 'eu'))
    assert.ok(tree.has('/eu'))
  })
})

describe('changing a context', () => {
  it('sets what is given and keeps the rest', async () => {
    const { library, tree } = await open()
    const settings = { default_auth: 'None', rate_limit: 5 } as const
    const { id } = await library.create({ ...news('/', 'eu', { region: 'eu' }), settings })
    const after = await library.change(id, { variables: { language: 'de' } })
    assert.deepEqual([after.path, after.variables, after.settings], ['/eu', { language: 'de' }, settings])
    assert.equal(tree.find('/eu', 'variable', 'region'), undefined)
    assert.deepEqual((await library.change(id, { settings: () => ({}) })).variables, { language: 'de' })
  })

  it('renames and moves it with all below, which keep their ids', async () => {
    const { library, tree, store } = await open()
    const eu = await library.create(news('/', 'eu', { region: 'eu' }))
    const west = await library.create(news('/eu', 'west', { side: 'west' }))
    const coast = await library.create(news('/eu/west', 'coast'))
    await library.change('/eu', { parent: '/sales', name: 'europe' })
    assert.deepEqual(tree.paths(), [
      '/',
      '/sales',
      '/sales/europe',
      '/sales/europe/west',
      '/sales/europe/west/coast'
    ])
    assert.equal(library.find('/eu'), undefined)
    assert.equal(library.find(coast.id)?.path, '/sales/europe/west/coast')
    assert.equal(library.find('/sales/europe')?.id, eu.id)
    assert.equal(tree.find('/sales/europe/west/coast', 'variable', 'side')?.value, 'west')
    assert.equal(
      tree.find('/sales/europe/west', 'variable', 'made_by')?.value,
      'sales',
      'it sees its new parent'
    )
    const stored = (await store.list()).map(({ id, path }) => [id, path])
    assert.deepEqual(stored, [
      [eu.id, '/sales/europe'],
      [west.id, '/sales/europe/west'],
      [coast.id, '/sales/europe/west/coast']
    ])
  })

  it('is refused where the new place is not, is taken, or lies in the context itself', async () => {
    const { library } = await open()
    await library.create(news('/', 'eu'))
    await library.create(news('/eu', 'west'))
    await library.create(news('/', 'us'))
    const change = (to: object) => library.change('/eu', to)
    await assert.rejects(change({ parent: '/nowhere' }), refusal('context_not_found', /nowhere/))
    await assert.rejects(change({ name: 'us' }), refusal('context_exists', /"\/us"/))
    await assert.rejects(change({ name: 'sales' }), refusal('context_exists', /"\/sales"/))
    for (const parent of ['/eu', '/eu/west']) {
      await assert.rejects(change({ parent }), refusal('context_in_use', /into itself/))
    }
    assert.equal((await change({ name: 'eu', parent: '/' })).path, '/eu', 'where it is, it may stay')
  })

  it('is refused for what is made by code, and for what is not', async () => {
    const { library } = await open()
    await assert.rejects(library.change('/sales', {}), refusal('context_is_code', /made by a plugin/))
    await assert.rejects(library.remove('/'), refusal('context_is_code', /is the root/))
    await assert.rejects(library.change('/nowhere', {}), refusal('context_not_found', /nowhere/))
    await assert.rejects(library.remove('no-id'), refusal('context_not_found', /no-id/))
  })

  it('that the store refuses changes nothing', async () => {
    const { library, tree, store } = await open()
    await library.create(news('/', 'eu', { region: 'eu' }))
    store.refusal = new Error('full')
    await assert.rejects(library.change('/eu', { name: 'us', variables: {} }), /full/)
    assert.equal(tree.find('/eu', 'variable', 'region')?.value, 'eu')
    assert.ok(!tree.has('/us'))
  })
})

describe('a context with flows or keys in it', () => {
  it('can be set, and neither moved, renamed nor deleted; nor can those above', async () => {
    const { library, inhabited } = await open()
    await library.create(news('/', 'eu'))
    await library.create(news('/eu', 'west'))
    inhabited.add('/eu/west')
    for (const path of ['/eu', '/eu/west']) {
      await assert.rejects(
        library.change(path, { name: 'x' }),
        refusal('context_in_use', /cannot be moved: flows/)
      )
      await assert.rejects(library.remove(path), refusal('context_in_use', /cannot be deleted: flows/))
      assert.deepEqual((await library.change(path, { variables: { a: 1 } })).variables, { a: 1 })
    }
    inhabited.clear()
    await assert.rejects(library.remove('/eu'), refusal('context_in_use', /has contexts below it/))
    await library.remove('/eu/west')
    await library.remove('/eu')
  })

  it('nor where a flow leaves it while runs are looked for: one may have begun there since', async () => {
    const { library, inhabited, whileLooking } = await open()
    await library.create(news('/sales', 'eu'))
    inhabited.add('/sales/eu')
    whileLooking(() => inhabited.clear())
    await assert.rejects(library.remove('/sales/eu'), refusal('context_in_use', /flow/))
    inhabited.clear()
    await library.remove('/sales/eu')
  })

  it('nor while runs that began there have not ended', async () => {
    const { library, unfinished } = await open()
    await library.create(news('/', 'eu'))
    await library.create(news('/eu', 'west'))
    unfinished.add('/eu/west')
    for (const path of ['/eu', '/eu/west']) {
      const says = /runs that began there are not finished. Wait.*or cancel them/
      await assert.rejects(library.change(path, { name: 'x' }), refusal('context_in_use', says))
      await assert.rejects(library.remove(path), refusal('context_in_use', says))
    }
    unfinished.clear()
    await library.remove('/eu/west')
  })

  it('is gone from tree and store when it is deleted', async () => {
    const { library, tree, store } = await open()
    const { id } = await library.create(news('/', 'eu'))
    await library.remove(id)
    assert.deepEqual([tree.has('/eu'), library.find(id), store.contexts.size], [false, undefined, 0])
    await library.create(news('/', 'eu'))
  })
})

describe('where the store knows more than this process does', () => {
  it('neither a path is taken twice, nor is a context put into one that has gone', async () => {
    const { library, tree, store } = await open()
    const elsewhere = { variables: '{}', settings: '{}', createdAt: NOON }
    await store.put([{ id: 'theirs', path: '/eu', ...elsewhere }])
    await assert.rejects(library.create(news('/', 'eu')), refusal('context_exists', /"\/eu" already/))
    const { id } = await library.create(news('/', 'us'))
    await store.remove(id)
    await assert.rejects(
      library.create(news('/us', 'east')),
      refusal('context_not_found', /no context "\/us"/)
    )
    assert.deepEqual(tree.paths(), ['/', '/sales', '/us'])
  })

  it('a context into which somebody has moved stays', async () => {
    const { library, tree, store } = await open()
    await library.create(news('/', 'eu'))
    store.inhabited.add('/eu')
    await assert.rejects(
      library.remove('/eu'),
      refusal('context_in_use', /cannot be deleted: flows or connections live/)
    )
    await assert.rejects(library.change('/eu', { name: 'us' }), refusal('context_in_use', /cannot be moved/))
    assert.ok(tree.has('/eu'))
    await library.change('/eu', { variables: { a: 1 } })
  })

  it('one that was removed elsewhere is removed here too', async () => {
    const { library, tree, store } = await open()
    const { id } = await library.create(news('/', 'eu'))
    await store.remove(id)
    await library.remove('/eu')
    assert.ok(!tree.has('/eu'))
  })
})

describe('a setting', () => {
  it('is that of the nearest context that says anything of it', async () => {
    const { library } = await open()
    await library.create({ ...news('/', 'eu'), settings: { default_auth: 'None', rate_limit: 5 } })
    await library.create({ ...news('/eu', 'west'), settings: { rate_limit: 0 } })
    await library.create(news('/eu/west', 'coast'))
    assert.equal(library.setting('/eu/west/coast', 'rate_limit'), 0)
    assert.equal(library.setting('/eu/west/coast', 'default_auth'), 'None')
    assert.equal(library.setting('/eu', 'concurrency'), undefined)
    assert.equal(library.setting('/sales', 'rate_limit'), undefined)
    assert.equal(library.setting('/nowhere/x', 'rate_limit'), undefined)
  })

  it('changes the revision of the tree, by which flows know', async () => {
    const { library, tree } = await open()
    await library.create(news('/', 'eu'))
    const before = tree.revision
    await library.change('/eu', { settings: () => ({ rate_limit: 1 }) })
    assert.ok(tree.revision > before)
  })
})

describe('after a restart', () => {
  it('everything is as it was', async () => {
    const { library, store } = await open()
    const made = await library.create({
      ...news('/sales', 'eu', { a: { b: [1] } }),
      settings: { rate_limit: 5 }
    })
    const again = await open({ store })
    assert.deepEqual(again.library.find(made.id), made)
    assert.deepEqual(again.tree.find('/sales/eu', 'variable', 'a')?.value, { b: [1] })
  })

  it('without the plugin above, a context waits unseen, and is back with the plugin', async () => {
    const { library, store } = await open()
    await library.create(news('/sales', 'eu'))
    await library.create(news('/sales/eu', 'west'))
    const without = await open({ store, code: [] })
    assert.deepEqual(without.tree.paths(), ['/'])
    const back = await open({ store })
    assert.deepEqual(back.tree.paths(), ['/', '/sales', '/sales/eu', '/sales/eu/west'])
  })

  it('it is also back where somebody makes what it stood in, and its name is taken there', async () => {
    const { library, store } = await open()
    await library.create(news('/sales', 'eu', { region: 'eu' }))
    await library.create(news('/sales/eu', 'west'))
    const without = await open({ store, code: [] })
    await without.library.create(news('/', 'sales'))
    assert.deepEqual(without.tree.paths(), ['/', '/sales', '/sales/eu', '/sales/eu/west'])
    await assert.rejects(without.library.create(news('/sales', 'eu')), refusal('context_exists', /already/))
  })

  it('a subtree cannot be moved onto one that waits unseen', async () => {
    const { library, store } = await open()
    await library.create(news('/sales', 'eu'))
    const without = await open({ store, code: [] })
    await without.library.create(news('/', 'trade'))
    await without.library.create(news('/trade', 'eu'))
    await assert.rejects(
      without.library.change('/trade', { name: 'sales' }),
      refusal('context_exists', /sales\/eu/)
    )
  })

  it('a plugin that makes a context of the same path has it, with what it registers', async () => {
    const { library, store } = await open({ code: [] })
    await library.create(news('/', 'sales', { made_by: 'the API' }))
    await library.create(news('/sales', 'eu'))
    const after = await open({ store })
    assert.equal(after.tree.facts('/sales').kind, 'code')
    assert.equal(after.tree.find('/sales/eu', 'variable', 'made_by')?.value, 'sales')
    assert.equal(after.library.find('/sales'), undefined)
    await assert.rejects(after.library.remove('/sales'), refusal('context_is_code', /plugin/))
    const back = await open({ store, code: [] })
    assert.equal(back.tree.find('/sales/eu', 'variable', 'made_by')?.value, 'the API')
  })
})
