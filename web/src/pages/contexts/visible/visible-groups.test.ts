import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contextsFor } from '../context.test-kit.ts'
import { hiddenFrom, knownNames, visibleGroups } from './visible-groups.ts'

const CONTEXTS = contextsFor({
  '/': [
    { kind: 'component', name: 'parser' },
    { kind: 'variable', name: 'region' },
    { kind: 'hook', name: 'onRequest' }
  ],
  '/sales': [
    { kind: 'plugin', name: 'sales' },
    { kind: 'component', name: 'quote' },
    { kind: 'variable', name: 'region' },
    { kind: 'hook', name: 'onStep' },
    { kind: 'hook', name: 'onRequest' },
    { kind: 'route', name: 'GET /quotes' },
    { kind: 'route', name: 'HEAD /quotes' },
    { kind: 'decoration', name: 'desk' },
    { kind: 'decorator', name: 'request.desk' }
  ],
  '/support': [{ kind: 'component', name: 'ticket' }]
})

describe('what a context sees', () => {
  it('is grouped, and hooks of runs stand apart from hooks of requests', () => {
    const groups = visibleGroups(CONTEXTS, '/sales').map(
      ([group, found]) => [group, found.map(({ name }) => name)] as const
    )
    assert.deepEqual(groups, [
      ['components', ['parser', 'quote']],
      ['variables', ['region', 'region']],
      ['run members', ['desk']],
      ['run hooks', ['onStep']],
      ['request hooks', ['onRequest', 'onRequest']],
      ['decorators', ['request.desk']],
      ['routes', ['GET /quotes']],
      ['plugins', ['sales']]
    ])
  })

  it('tells what it takes the place of', () => {
    const variables = visibleGroups(CONTEXTS, '/sales').find(([group]) => group === 'variables')![1]
    assert.equal(variables.find(({ context }) => context === '/sales')!.hides?.context, '/')
    const hooks = visibleGroups(CONTEXTS, '/sales').find(([group]) => group === 'request hooks')![1]
    assert.ok(
      hooks.every(({ hides }) => hides === undefined),
      'hooks stand side by side'
    )
  })

  it('is less than there is: the rest is told too', () => {
    assert.deepEqual(
      hiddenFrom(CONTEXTS, '/support').map(({ kind, name }) => `${kind} ${name}`),
      [
        'plugin sales',
        'component quote',
        'hook onStep',
        'route GET /quotes',
        'decoration desk',
        'decorator request.desk'
      ]
    )
    assert.deepEqual(
      hiddenFrom(CONTEXTS, '/sales').map(({ name }) => name),
      ['ticket']
    )
  })

  it('can be asked for by every name that is registered anywhere', () => {
    assert.deepEqual(knownNames(CONTEXTS, 'component'), ['parser', 'quote', 'ticket'])
    assert.deepEqual(knownNames(CONTEXTS, 'variable'), ['region'])
  })
})
