import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { news, open, refusal } from './context-library.test-kit.ts'

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

  it('sets variables of the root beside those of code, which stay', async () => {
    const { library, tree, store } = await open({ root: { host: 'code' } })
    assert.deepEqual(library.get('/').variables, {})
    await library.change('/', { variables: { region: 'eu', more: 1 } })
    await library.create(news('/', 'below'))
    await library.change('/', { variables: { region: 'us' } })
    assert.equal(tree.find('/below', 'variable', 'region')?.value, 'us')
    assert.equal(tree.find('/', 'variable', 'more'), undefined)
    assert.equal(tree.find('/', 'variable', 'host')?.value, 'code')
    const change = (to: object) => library.change('/', to)
    await assert.rejects(
      change({ variables: { host: 'mine' } }),
      refusal('invalid_request', /"host" of the root is set in code.*by the host/)
    )
    await assert.rejects(
      change({ settings: () => ({ rate_limit: 5 }) }),
      refusal('invalid_request', /no "rate_limit"/)
    )
    for (const to of [{ name: 'x' }, { parent: '/below' }]) {
      await assert.rejects(change(to), refusal('context_is_code', /is the root/))
    }
    const again = await open({ store, root: { region: 'code' } })
    assert.equal(again.tree.find('/below', 'variable', 'region')?.value, 'code', 'a plugin came later')
    await again.library.refresh(async () => {})
    assert.ok(again.tree.has('/sales'))
    const fresh = await open()
    await fresh.library.refresh(async () => {})
    assert.ok(fresh.tree.has('/sales'), 'a root that nobody set stays')
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
