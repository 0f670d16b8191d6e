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
