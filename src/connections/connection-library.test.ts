import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { ContextTree } from '../contexts/context-tree.ts'
import { explain } from '../contexts/explain.ts'
import { openFor } from '../store/sqlite/sqlite-subject.test-kit.ts'
import type { WantedConnection } from './connection-change.ts'
import { ConnectionLibrary } from './connection-library.ts'
import { resealConnections } from './reseal-connections.ts'
import { keyIdOf } from './sealed-secret.ts'
import { readSecretKeys } from './secret-keys.ts'

const newKey = () => randomBytes(32).toString('base64')
const ROOT_ADMIN = { mayTrust: true }
const OTHER_ADMIN = { mayTrust: false }

const shop: WantedConnection = {
  name: 'shop',
  kind: 'http',
  context: '/',
  settings: { base_url: 'https://shop.example/v1', auth: 'bearer' },
  secrets: { token: 'canary-1' }
}

async function open(t: TestContext) {
  const { store } = await openFor(t)
  const tree = new ContextTree()
  tree.graft('/staging', {}, { owner: 'test', source: null })
  tree.graft('/production', {}, { owner: 'test', source: null })
  let keys = newKey()
  let ids = 0
  const make = () =>
    new ConnectionLibrary({
      store: store.connections,
      tree,
      keys: () => readSecretKeys(keys),
      isMade: () => false,
      forgetTokens: (id) => void forgotten.push(id),
      newId: () => `c${++ids}`,
      now: () => 1000 + ids
    })
  const forgotten: string[] = []
  const setKeys = (text: string) => {
    keys = text
  }
  return { library: make(), make, store, tree, setKeys, key: () => keys, forgotten }
}

describe('a connection', () => {
  it('is kept with its secrets sealed, and opens to them after a restart', async (t) => {
    const { library, make, store } = await open(t)
    const made = await library.create(shop, ROOT_ADMIN)
    assert.ok(!JSON.stringify(await store.connections.list()).includes('canary'))
    const again = make()
    await again.load()
    assert.deepEqual(again.list(), [made])
    assert.deepEqual(again.openSecrets(again.get(made.id)), { token: 'canary-1' })
  })

  it('takes along what somebody has signed in for where it leads elsewhere, and only once that is written', async (t) => {
    const { library, make, store, forgotten } = await open(t)
    const { id } = await library.create(shop, ROOT_ADMIN)
    const tokens = { connectionId: id, tokens: 'x', holder: null, leasedUntil: 0, revision: 1 }
    await store.tokens.write(tokens)
    const other = make()
    await other.load()
    const elsewhere = { ...shop, settings: { ...shop.settings, base_url: 'https://elsewhere.example' } }
    await other.change(id, { ...shop, name: 'store' }, ROOT_ADMIN)
    await assert.rejects(library.change(id, elsewhere, ROOT_ADMIN), { code: 'connection_conflict' })
    assert.deepEqual([await store.tokens.find(id), forgotten], [tokens, []])
    await other.change(id, elsewhere, ROOT_ADMIN)
    assert.deepEqual([(await store.tokens.find(id))?.tokens, forgotten], ['', [id]])
  })

  it('is found from a context upwards, nearest first, and explained', async (t) => {
    const { library, tree } = await open(t)
    const inRoot = await library.create(shop, ROOT_ADMIN)
    const inStaging = await library.create({ ...shop, context: '/staging' }, ROOT_ADMIN)
    assert.equal(library.visible('/staging', 'shop')?.id, inStaging.id)
    assert.equal(library.visible('/production', 'shop')?.id, inRoot.id)
    assert.equal(library.visible('/', 'shop')?.id, inRoot.id)
    assert.equal(library.visible('/', 'bank'), undefined)
    await library.create({ ...shop, name: 'bank', context: '/staging' }, ROOT_ADMIN)
    const hidden = explain(tree, { context: '/production', kind: 'connection', name: 'bank' })
    assert.match(hidden.text, /"bank" is hidden from \/production: it lives in \/staging/)
    await library.remove(inStaging.id)
    assert.equal(library.visible('/staging', 'shop')?.id, inRoot.id)
  })

  it('keeps a secret that a change leaves out, also when it moves, and drops one that it takes away', async (t) => {
    const { library } = await open(t)
    const { id } = await library.create(shop, ROOT_ADMIN)
    const moved = await library.change(id, { ...shop, context: '/staging', secrets: {} }, ROOT_ADMIN)
    assert.deepEqual(library.openSecrets(moved), { token: 'canary-1' })
    const changed = await library.change(id, { ...shop, secrets: { token: 'canary-2' } }, ROOT_ADMIN)
    assert.deepEqual(library.openSecrets(changed), { token: 'canary-2' })
    const anybody = { base_url: 'https://shop.example/v1' }
    const without = await library.change(
      id,
      { ...shop, settings: anybody, secrets: {}, removed: ['token'] },
      ROOT_ADMIN
    )
    assert.deepEqual(without.secrets, {})
  })

  it('does not take the secrets of one kind along to another', async (t) => {
    const { library } = await open(t)
    const { id } = await library.create(shop, ROOT_ADMIN)
    const mcp = { ...shop, kind: 'mcp', settings: { url: 'https://shop.example' }, secrets: {} }
    assert.deepEqual((await library.change(id, mcp, ROOT_ADMIN)).secrets, {})
  })

  it('is trusted while its address is what somebody wrote who may say so', async (t) => {
    const { library } = await open(t)
    const { id } = await library.create(shop, ROOT_ADMIN)
    const isTrustedAfter = async (settings: object, writer = OTHER_ADMIN) =>
      (await library.change(id, { ...shop, settings: { ...shop.settings, ...settings } }, writer)).isTrusted
    assert.equal(await isTrustedAfter({ base_url: 'https://shop.example/v2' }), true)
    assert.equal(await isTrustedAfter({ base_url: 'https://shop.example:8443/v2' }), false)
    assert.equal(await isTrustedAfter({ base_url: 'https://shop.example:8443/v2' }, ROOT_ADMIN), true)
    assert.equal((await library.create({ ...shop, name: 'b' }, OTHER_ADMIN)).isTrusted, false)
  })

  it('says which key is missing when a secret cannot be opened', async (t) => {
    const { library, setKeys } = await open(t)
    const made = await library.create(shop, ROOT_ADMIN)
    setKeys(newKey())
    assert.throws(() => library.openSecrets(made), {
      code: 'secret_unreadable',
      message: new RegExp(`"token" of the connection "shop" .* key ${keyIdOf(made.secrets.token!)}`)
    })
  })
})

describe('a change of the key', () => {
  it('seals all anew, once, and the library goes on with what it holds', async (t) => {
    const { library, make, store, setKeys, key } = await open(t)
    const before = key()
    const { id } = await library.create(shop, ROOT_ADMIN)
    const keys = `${newKey()},${before}`
    setKeys(keys)
    const reseal = () => resealConnections(store.connections, readSecretKeys(keys))
    assert.deepEqual(await reseal(), { resealed: 1, broken: [] })
    assert.deepEqual(await reseal(), { resealed: 0, broken: [] })
    assert.deepEqual(library.openSecrets(library.get(id)), { token: 'canary-1' })
    const again = make()
    await again.load()
    setKeys(keys.split(',')[0]!)
    assert.deepEqual(again.openSecrets(again.get(id)), { token: 'canary-1' })
    // Another process has written it meanwhile, but what it is has not changed: the change is made.
    const changed = await library.change(id, { ...shop, name: 'The shop', secrets: {} }, ROOT_ADMIN)
    assert.deepEqual(library.openSecrets(changed), { token: 'canary-1' })
  })

  it('reaches what was on its way to the store', async (t) => {
    const { library, setKeys, key } = await open(t)
    const before = key()
    const made = library.create(shop, ROOT_ADMIN)
    const keys = `${newKey()},${before}`
    setKeys(keys)
    const { secrets } = await made
    assert.equal(keyIdOf(secrets.token!), readSecretKeys(keys)[0].id)
  })

  it('leaves what another one changed as a conflict, and reads it', async (t) => {
    const { library, make } = await open(t)
    const { id } = await library.create(shop, ROOT_ADMIN)
    const other = make()
    await other.load()
    await other.change(id, { ...shop, name: 'theirs' }, ROOT_ADMIN)
    await assert.rejects(library.change(id, { ...shop, name: 'ours' }, ROOT_ADMIN), {
      code: 'connection_conflict'
    })
    assert.equal(library.get(id).name, 'theirs')
  })

  it('names what no key opens, and seals the rest', async (t) => {
    const { library, store, setKeys, key } = await open(t)
    const lost = await library.create({ ...shop, name: 'lost' }, ROOT_ADMIN)
    setKeys(newKey())
    await library.create(shop, ROOT_ADMIN)
    const keys = readSecretKeys(`${newKey()},${key()}`)
    const { resealed, broken } = await resealConnections(store.connections, keys)
    assert.equal(resealed, 1)
    assert.deepEqual(
      broken.map(({ connection, place, keyId }) => [connection, place.name, keyId]),
      [['lost', 'token', keyIdOf(lost.secrets.token!)]]
    )
    assert.match(broken[0]!.reason, /sealed with the key/)
  })
})

describe('what is refused', () => {
  const rows: [what: string, change: Partial<WantedConnection>, code: string, message: RegExp][] = [
    ['an unknown kind', { kind: 'htp' }, 'connection_invalid', /no kind "htp".*Did you mean "http"/],
    ['an unknown context', { context: '/nowhere' }, 'context_not_found', /"\/nowhere"/],
    ['a setting that is missing', { settings: {} }, 'connection_invalid', /base_url/],
    [
      'a setting that does not exist',
      { settings: { ...shop.settings, ssl: true } },
      'connection_invalid',
      /no setting "ssl"/
    ],
    ['a bad address', { settings: { base_url: 'ftp://a' } }, 'connection_invalid', /base_url/],
    ['a secret that is missing', { secrets: {} }, 'connection_invalid', /"token" \(Token\) is missing/],
    [
      'a secret that does not exist',
      { secrets: { token: 'x', 'pin!': '1' } },
      'connection_invalid',
      /no secret "pin!"/
    ],
    [
      'a secret with the end of its line',
      { secrets: { token: 'canary-token\n' } },
      'connection_invalid',
      /"token" holds a line break that no header can hold/
    ],
    [
      'a secret with an invisible letter',
      {
        settings: { ...shop.settings, headers: { 'X-App': '{app}' } },
        secrets: { token: 'x', app: 'canary\u200b' }
      },
      'connection_invalid',
      /"app" holds a letter that no header can hold/
    ]
  ]
  for (const [what, change, code, message] of rows) {
    it(what, async (t) => {
      const { library } = await open(t)
      await assert.rejects(
        library.create({ ...shop, ...change }, ROOT_ADMIN),
        (error: Error & { code: string }) => {
          assert.equal(error.code, code)
          assert.match(error.message, message)
          assert.ok(!error.message.includes('canary'))
          return true
        }
      )
      assert.deepEqual(library.list(), [])
    })
  }

  it('a name that is taken in the context', async (t) => {
    const { library } = await open(t)
    await library.create(shop, ROOT_ADMIN)
    await assert.rejects(library.create(shop, ROOT_ADMIN), { code: 'connection_exists' })
  })
})
