import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOON } from '../clock.test-kit.ts'
import { MillraceError } from '../errors.ts'
import { news, open, refusal } from './context-library.test-kit.ts'

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
      refusal('context_in_use', /cannot be deleted: flows, connections or collections live/)
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
