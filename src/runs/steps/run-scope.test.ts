import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ContextTree } from '../../contexts/context-tree.ts'
import type { RegistrationKind } from '../../contexts/registration.ts'
import type { RunView, Step } from '../../flows/component/component.ts'
import { RunScopes } from './run-scope.ts'

const API = { owner: 'the API', source: null }

//  / ─ /sales ─ /sales/eu      /support
function tree(): ContextTree {
  const made = new ContextTree()
  made.fork('/', 'sales')
  made.fork('/sales', 'eu')
  made.fork('/', 'support')
  return made
}

function add(to: ContextTree, context: string, kind: RegistrationKind, name: string, value: unknown) {
  to.register(context, { kind, name, value, owner: 'test', source: null })
}

describe('what the context of a flow puts around its runs', () => {
  it('is the decorations that it sees, nearest first', () => {
    const contexts = tree()
    add(contexts, '/', 'decoration', 'region', 'all')
    add(contexts, '/', 'decoration', 'db', 'root')
    add(contexts, '/sales', 'decoration', 'region', 'sales')
    add(contexts, '/support', 'decoration', 'phone', 1)
    const of = (path: string) => new RunScopes(contexts).of(path).decorations
    assert.deepEqual(of('/'), { region: 'all', db: 'root' })
    assert.deepEqual(of('/sales/eu'), { region: 'sales', db: 'root' })
    assert.deepEqual(of('/support'), { region: 'all', db: 'root', phone: 1 })
  })

  it('is the variables that it sees, nearest first, those of data included', () => {
    const contexts = tree()
    add(contexts, '/', 'variable', 'region', 'all')
    contexts.graft('/sales/us', { region: 'us', deep: { a: [1] } }, API)
    const scopes = new RunScopes(contexts)
    assert.deepEqual(scopes.of('/sales/us').variables, { region: 'us', deep: { a: [1] } })
    assert.deepEqual(scopes.of('/sales/eu').variables, { region: 'all' })
  })

  it('is nothing that the names of objects could stand for', () => {
    const contexts = tree()
    contexts.graft('/odd', JSON.parse('{"__proto__":"own","constructor":"mine"}'), API)
    const { variables } = new RunScopes(contexts).of('/odd')
    assert.deepEqual(Object.entries(variables), [
      ['__proto__', 'own'],
      ['constructor', 'mine']
    ])
    assert.equal(Object.getPrototypeOf(variables), Object.prototype)
    assert.deepEqual(Object.keys(new RunScopes(contexts).of('/').variables), [])
  })

  it('is its hooks by name, ancestors first whatever came first in time, and none of Fastify’s', () => {
    const contexts = tree()
    const hook = (name: string) => Object.assign(() => {}, { label: name })
    add(contexts, '/sales/eu', 'hook', 'onRunStart', hook('eu'))
    add(contexts, '/', 'hook', 'onRunStart', hook('root'))
    add(contexts, '/sales', 'hook', 'onRunStart', hook('sales'))
    add(contexts, '/', 'hook', 'onRunEnd', hook('end'))
    add(contexts, '/', 'hook', 'onRequest', undefined)
    add(contexts, '/support', 'hook', 'onRunStart', hook('support'))
    const scopes = new RunScopes(contexts)
    const labels = (path: string, name: 'onRunStart' | 'onRunEnd') =>
      scopes.of(path)[name].map((each) => (each as unknown as { label: string }).label)
    assert.deepEqual(labels('/sales/eu', 'onRunStart'), ['root', 'sales', 'eu'])
    assert.deepEqual(labels('/sales', 'onRunStart'), ['root', 'sales'])
    assert.deepEqual(labels('/support', 'onRunStart'), ['root', 'support'])
    assert.deepEqual(labels('/sales/eu', 'onRunEnd'), ['end'])
    assert.equal(scopes.of('/').aroundStep, undefined)
  })

  it('is one function around a step, ancestors outermost', () => {
    const contexts = tree()
    const around = (name: string) => (_step: Step, next: () => unknown) => `${name}(${next()})`
    add(contexts, '/sales/eu', 'hook', 'onStep', around('eu'))
    add(contexts, '/', 'hook', 'onStep', around('root'))
    add(contexts, '/sales', 'hook', 'onStep', around('sales'))
    const run = new RunScopes(contexts).of('/sales/eu').aroundStep!
    const step = { run: { id: 'r' } as RunView } as Step
    assert.equal(
      run((given) => given.run.id, step),
      'root(sales(eu(r)))'
    )
  })

  it('is empty for a context that has gone', () => {
    const { decorations, variables, onRunStart, aroundStep } = new RunScopes(tree()).of('/gone')
    assert.deepEqual([decorations, variables, onRunStart, aroundStep], [{}, {}, [], undefined])
  })
})

describe('looking it up', () => {
  it('is done once, until the tree changes', () => {
    const contexts = tree()
    contexts.graft('/us', { region: 'us' }, API)
    const scopes = new RunScopes(contexts)
    const before = scopes.of('/us')
    assert.equal(scopes.of('/us'), before)
    assert.equal(scopes.of('/us'), before, 'a look at another context changes nothing')
    contexts.setData('/us', 'variable', { region: 'usa' }, API)
    assert.deepEqual(scopes.of('/us').variables, { region: 'usa' })
    assert.deepEqual(before.variables, { region: 'us' }, 'a run under way keeps what it began with')
    contexts.uproot('/us')
    assert.deepEqual(scopes.of('/us').variables, {})
  })

  it('sees a change in an ancestor too', () => {
    const contexts = tree()
    contexts.graft('/us', { region: 'us' }, API)
    contexts.graft('/us/east', {}, API)
    const scopes = new RunScopes(contexts)
    assert.deepEqual(scopes.of('/us/east').variables, { region: 'us' })
    contexts.setData('/us', 'variable', { region: 'usa' }, API)
    assert.deepEqual(scopes.of('/us/east').variables, { region: 'usa' })
  })
})
