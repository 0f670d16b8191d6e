import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MillraceError } from '../errors.ts'
import { ContextTree } from './context-tree.ts'
import type { RegistrationKind } from './registration.ts'

//  /
//  ├─ /sales ─ /sales/eu
//  └─ /support
function tree(): ContextTree {
  const made = new ContextTree()
  made.fork('/', 'sales')
  made.fork('/sales', 'eu')
  made.fork('/', 'support')
  return made
}

function register(
  of: ContextTree,
  context: string,
  name: string,
  more: { owner?: string; source?: string } = {}
) {
  const { owner = 'test', source = null } = more
  return of.register(context, { kind: 'component', name, value: `${name} of ${context}`, owner, source })
}

function seenFrom(of: ContextTree, context: string): string[] {
  return of.visible(context, 'component').map(({ name }) => name)
}

function sees(of: ContextTree, context: string, name: string): boolean {
  const found = of.find(context, 'component', name) !== undefined
  assert.equal(seenFrom(of, context).includes(name), found, 'find and visible agree')
  return found
}

describe('the five rules of contexts', () => {
  it('1: a context sees what is registered in the root', () => {
    const contexts = tree()
    register(contexts, '/', 'a')
    for (const path of contexts.paths()) assert.ok(sees(contexts, path, 'a'), path)
  })

  it('2: it sees what is registered in its ancestors and in itself', () => {
    const contexts = tree()
    register(contexts, '/sales', 'a')
    register(contexts, '/sales/eu', 'b')
    assert.ok(sees(contexts, '/sales', 'a'))
    assert.ok(sees(contexts, '/sales/eu', 'a'))
    assert.ok(sees(contexts, '/sales/eu', 'b'))
  })

  it('3: it never sees what is registered in its descendants', () => {
    const contexts = tree()
    register(contexts, '/sales/eu', 'b')
    assert.ok(!sees(contexts, '/sales', 'b'))
    assert.ok(!sees(contexts, '/', 'b'))
  })

  it('4: siblings never see each other’s registrations', () => {
    const contexts = tree()
    register(contexts, '/sales', 'a')
    register(contexts, '/support', 'b')
    assert.ok(!sees(contexts, '/support', 'a'))
    assert.ok(!sees(contexts, '/sales', 'b'))
    assert.ok(!sees(contexts, '/sales/eu', 'b'))
  })

  it('5: what is registered into the parent instead of a fork is the parent’s', () => {
    const contexts = tree()
    register(contexts, '/sales', 'shared')
    assert.equal(contexts.find('/sales/eu', 'component', 'shared')?.context, '/sales')
  })

  it('1 to 4: a context sees a registration exactly when it was made on its way to the root', () => {
    const contexts = tree()
    const paths = contexts.paths()
    for (const [index, path] of paths.entries()) register(contexts, path, `c${index}`)
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.constantFrom(...paths), (from, at) => {
        const isOnTheWay = at === '/' || from === at || from.startsWith(`${at}/`)
        assert.equal(sees(contexts, from, `c${paths.indexOf(at)}`), isOnTheWay)
      })
    )
  })
})

describe('registering', () => {
  it('later in an ancestor is seen like earlier', () => {
    const contexts = tree()
    assert.ok(!sees(contexts, '/sales/eu', 'late'))
    register(contexts, '/', 'late')
    assert.ok(sees(contexts, '/sales/eu', 'late'))
  })

  it('twice in one context is refused, with both registrants named', () => {
    const contexts = tree()
    register(contexts, '/sales', 'a', { owner: 'first', source: 'plugins/first.ts:3' })
    assert.throws(
      () => register(contexts, '/sales', 'a', { owner: 'second' }),
      (error) =>
        error instanceof MillraceError &&
        error.code === 'registration_refused' &&
        /^second cannot register the component "a" in \/sales: it is registered by first in \/sales at plugins\/first\.ts:3/.test(
          error.message
        )
    )
    assert.equal(contexts.find('/sales', 'component', 'a')?.owner, 'first')
  })

  it('the same name in another context is allowed, and the nearest wins', () => {
    const contexts = tree()
    register(contexts, '/', 'a')
    register(contexts, '/sales', 'a')
    register(contexts, '/support', 'a')
    assert.equal(contexts.find('/sales/eu', 'component', 'a')?.value, 'a of /sales')
    assert.equal(contexts.find('/', 'component', 'a')?.value, 'a of /')
    assert.deepEqual(seenFrom(contexts, '/sales/eu'), ['a'])
    assert.equal(contexts.everywhere('component', 'a').length, 3)
  })

  it('the same name for another kind is allowed', () => {
    const contexts = tree()
    register(contexts, '/', 'a')
    const kinds: RegistrationKind[] = ['decoration', 'variable']
    for (const kind of kinds)
      contexts.register('/', { kind, name: 'a', value: kind, owner: 'test', source: null })
    assert.equal(contexts.find('/', 'decoration', 'a')?.value, 'decoration')
    assert.deepEqual(seenFrom(contexts, '/'), ['a'])
  })

  it('shows ancestors first, then in the order of registration', () => {
    const contexts = tree()
    register(contexts, '/sales/eu', 'z')
    register(contexts, '/sales', 'y')
    register(contexts, '/', 'x')
    register(contexts, '/', 'a')
    assert.deepEqual(seenFrom(contexts, '/sales/eu'), ['x', 'a', 'y', 'z'])
  })

  it('in a context that is not there is refused', () => {
    assert.throws(() => register(tree(), '/nowhere', 'a'), /no context "\/nowhere"/)
    assert.throws(() => tree().fork('/nowhere', 'a'), /no context "\/nowhere"/)
  })

  it('names such as __proto__ are names like any other', () => {
    const contexts = tree()
    assert.ok(!sees(contexts, '/', '__proto__'))
    register(contexts, '/', '__proto__')
    assert.ok(sees(contexts, '/sales', '__proto__'))
    assert.ok(!contexts.has('__proto__'))
  })
})

describe('forking', () => {
  it('names a context by its path', () => {
    assert.deepEqual(tree().paths(), ['/', '/sales', '/sales/eu', '/support'])
  })

  it('gives a name that is taken a number', () => {
    const contexts = tree()
    assert.equal(contexts.fork('/', 'sales'), '/sales-2')
    assert.equal(contexts.fork('/', 'sales'), '/sales-3')
  })
})

const API = { owner: 'the API', source: null }

describe('contexts that hold data', () => {
  it('are grafted with their variables, and the five rules hold for them', () => {
    const contexts = tree()
    register(contexts, '/sales', 'a')
    contexts.graft('/sales/eu/west', { region: 'west' }, API)
    contexts.graft('/sales/us', { region: 'us' }, API)
    assert.ok(sees(contexts, '/sales/eu/west', 'a'))
    assert.equal(contexts.find('/sales/eu/west', 'variable', 'region')?.value, 'west')
    assert.equal(contexts.find('/sales/us', 'variable', 'region')?.value, 'us')
    for (const other of ['/', '/sales', '/sales/eu', '/support']) {
      assert.equal(contexts.find(other, 'variable', 'region'), undefined, other)
    }
    const { kind, origin } = contexts.facts('/sales/us')
    assert.deepEqual([kind, origin], ['data', API])
  })

  it('are put in, changed and taken out after the tree is frozen', () => {
    const contexts = tree()
    contexts.freeze()
    contexts.graft('/sales/us', { region: 'us' }, API)
    contexts.setData('/sales/us', 'variable', { language: 'en' }, API)
    assert.equal(contexts.find('/sales/us', 'variable', 'language')?.value, 'en')
    assert.equal(contexts.find('/sales/us', 'variable', 'region'), undefined, 'all variables are set')
    contexts.uproot('/sales/us')
    assert.ok(!contexts.has('/sales/us'))
  })

  it('are taken out with all below, and nothing beside', () => {
    const contexts = tree()
    for (const path of ['/us', '/us/east', '/us/east/ny', '/us-2']) contexts.graft(path, {}, API)
    contexts.uproot('/us')
    assert.deepEqual(contexts.paths(), ['/', '/sales', '/sales/eu', '/support', '/us-2'])
    assert.throws(() => contexts.own('/us/east'), /no context "\/us\/east"/)
  })

  it('need a parent', () => {
    assert.throws(() => tree().graft('/nowhere/us', {}, API), /no context "\/nowhere"/)
    assert.throws(() => tree().setData('/nowhere', 'variable', {}, API), /no context "\/nowhere"/)
    assert.throws(() => tree().facts('/nowhere'), /no context "\/nowhere"/)
  })

  it('leave it to the nearest code above to serve them', () => {
    const contexts = tree()
    contexts.graft('/sales/eu/west', {}, API)
    contexts.graft('/sales/eu/west/coast', {}, API)
    contexts.graft('/plain', {}, API)
    const rows = [
      ['/sales/eu/west/coast', '/sales/eu'],
      ['/sales/eu/west', '/sales/eu'],
      ['/sales/eu', '/sales/eu'],
      ['/plain', '/'],
      ['/', '/'],
      ['/nowhere', '/']
    ]
    for (const [path, code] of rows) assert.equal(contexts.nearestCode(path!), code, path)
  })
})

describe('the revision', () => {
  it('changes with everything that can change what a context sees, and with nothing else', () => {
    const contexts = tree()
    const changes: (() => unknown)[] = [
      () => register(contexts, '/', 'a'),
      () => contexts.fork('/', 'late'),
      () => contexts.graft('/us', { a: 1 }, API),
      () => contexts.setData('/us', 'variable', { a: 2 }, API),
      () => contexts.setData('/us', 'variable', {}, API),
      () => contexts.uproot('/us')
    ]
    for (const change of changes) {
      const before = contexts.revision
      change()
      assert.ok(contexts.revision > before, String(change))
    }
    const before = contexts.revision
    contexts.visible('/sales')
    contexts.find('/sales', 'component', 'a')
    assert.throws(() => register(contexts, '/', 'a'))
    assert.equal(contexts.revision, before)
  })
})

describe('hooks, routes and plugins', () => {
  it('of one name stand side by side, ancestors first whatever came first in time', () => {
    for (const kind of ['hook', 'route', 'plugin'] as const) {
      const contexts = tree()
      const add = (context: string, value: number) =>
        contexts.register(context, { kind, name: 'same', value, owner: 'test', source: null })
      add('/sales/eu', 1)
      add('/sales', 2)
      add('/', 3)
      add('/sales', 4)
      add('/', 5)
      const values = contexts.visible('/sales/eu', kind).map(({ value }) => value)
      assert.deepEqual(values, [3, 5, 2, 4, 1])
      assert.equal(contexts.everywhere(kind, 'same').length, 5)
    }
  })

  it('are found by name anywhere, by kind and nothing like them', () => {
    const contexts = tree()
    register(contexts, '/sales', 'a')
    register(contexts, '/support', 'a')
    contexts.graft('/us', { a: 1 }, API)
    const found = (kind: RegistrationKind, name: string) =>
      contexts.everywhere(kind, name).map(({ context }) => context)
    assert.deepEqual(found('component', 'a'), ['/sales', '/support'])
    assert.deepEqual(found('variable', 'a'), ['/us'])
    assert.deepEqual(found('component', 'ab'), [])
  })
})

describe('freezing', () => {
  it('refuses what comes too late, and keeps what there is', () => {
    const contexts = tree()
    register(contexts, '/', 'a')
    contexts.freeze()
    assert.throws(
      () => register(contexts, '/', 'b'),
      /too late to register the component "b".*while the plugin loads/
    )
    assert.throws(() => contexts.fork('/', 'late'), /too late to register the context "late"/)
    assert.ok(sees(contexts, '/sales', 'a'))
  })
})
