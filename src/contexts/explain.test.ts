import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ContextTree } from './context-tree.ts'
import { explain } from './explain.ts'
import type { RegistrationKind } from './registration.ts'

//  /
//  ├─ /sales ─ /sales/eu ─ /sales/eu/west (data)
//  ├─ /support ─ /support/night
//  └─ /data (data)
function tree(): ContextTree {
  const made = new ContextTree()
  made.fork('/', 'sales', { owner: 'sales-plugin', source: 'sales.ts:1' })
  made.fork('/sales', 'eu', { owner: 'eu-plugin', source: null })
  made.fork('/', 'support')
  made.fork('/support', 'night')
  const api = { owner: 'the API', source: null }
  made.graft('/sales/eu/west', {}, api)
  made.graft('/data', { region: 'd' }, api)
  return made
}

function register(of: ContextTree, context: string, name: string, kind: RegistrationKind = 'component') {
  of.register(context, { kind, name, value: name, owner: `owner-of-${name}`, source: `${name}.ts:7` })
}

function ask(of: ContextTree, context: string, name: string, kind: RegistrationKind = 'component') {
  return explain(of, { context, kind, name })
}

function hidden(of: ContextTree, context: string, name: string, kind: RegistrationKind = 'component') {
  const explanation = ask(of, context, name, kind)
  assert.ok(!explanation.visible)
  return explanation
}

describe('what is seen', () => {
  it('is said to be the context’s own, with who registered it and where', () => {
    const contexts = tree()
    register(contexts, '/sales', 'greet')
    const explanation = ask(contexts, '/sales', 'greet')
    assert.ok(explanation.visible)
    assert.equal(explanation.inheritedFrom, null)
    assert.equal(explanation.registration.owner, 'owner-of-greet')
    assert.equal(
      explanation.text,
      'The component "greet" is visible in /sales: it is registered there, registered by owner-of-greet in /sales at greet.ts:7.'
    )
  })

  it('is said to be inherited, and from where', () => {
    const contexts = tree()
    register(contexts, '/sales', 'greet')
    for (const below of ['/sales/eu', '/sales/eu/west']) {
      const explanation = ask(contexts, below, 'greet')
      assert.ok(explanation.visible)
      assert.equal(explanation.inheritedFrom, '/sales')
      assert.match(explanation.text, /it is inherited from \/sales, registered by owner-of-greet/)
    }
  })

  it('is the nearest where several are, also for hooks, which stand side by side', () => {
    const contexts = tree()
    for (const kind of ['component', 'hook'] as const) {
      for (const context of ['/', '/sales', '/support']) register(contexts, context, 'a', kind)
      const explanation = ask(contexts, '/sales/eu', 'a', kind)
      assert.ok(explanation.visible)
      assert.equal(explanation.inheritedFrom, '/sales', kind)
    }
  })
})

describe('what is hidden', () => {
  it('in a child can be shared by wrapping the plugin that made the child', () => {
    const contexts = tree()
    register(contexts, '/sales', 'greet')
    const { because, text, remedy, elsewhere } = hidden(contexts, '/', 'greet')
    assert.equal(because, 'descendant')
    assert.match(
      text,
      /is hidden from \/: it lives in \/sales, below \/, and a context never sees what its desc/
    )
    assert.match(text, /registered by owner-of-greet in \/sales at greet\.ts:7\.$/)
    assert.equal(
      remedy,
      'Wrap sales-plugin with share() so that it registers into /, register it in /, or move the flow into /sales.'
    )
    assert.deepEqual(
      elsewhere.map(({ context }) => context),
      ['/sales']
    )
  })

  it('further down cannot be shared up to here: sharing goes one level', () => {
    const contexts = tree()
    register(contexts, '/sales/eu', 'greet')
    const { because, remedy } = hidden(contexts, '/', 'greet')
    assert.equal(because, 'descendant')
    assert.equal(remedy, 'Register it in /, or move the flow into /sales/eu.')
  })

  it('in a sibling can be shared into the parent of both', () => {
    const contexts = tree()
    register(contexts, '/sales', 'greet')
    for (const beside of ['/support', '/support/night', '/data']) {
      const { because, text, remedy } = hidden(contexts, beside, 'greet')
      assert.equal(because, 'sibling')
      assert.ok(text.includes(`it lives in /sales, beside ${beside}, and siblings never see each other`))
      assert.match(
        remedy,
        /^Wrap sales-plugin with share\(\) so that it registers into \/, register it in \/,/
      )
    }
  })

  it('in a cousin cannot be shared up to here', () => {
    const contexts = tree()
    register(contexts, '/sales/eu', 'greet')
    const { because, remedy } = hidden(contexts, '/support/night', 'greet')
    assert.equal(because, 'sibling')
    assert.equal(remedy, 'Register it in /, or move the flow into /sales/eu.')
  })

  it('in a context that holds data has no plugin to wrap', () => {
    const { because, remedy } = hidden(tree(), '/support', 'region', 'variable')
    assert.equal(because, 'sibling')
    assert.equal(remedy, 'Register it in /, or move the flow into /data.')
  })

  it('in several places is explained by the nearest, and all are told', () => {
    const contexts = tree()
    for (const home of ['/support', '/sales/eu']) register(contexts, home, 'greet')
    const { because, text, elsewhere } = hidden(contexts, '/sales', 'greet')
    assert.equal(because, 'descendant')
    assert.match(text, /it lives in \/sales\/eu, below \/sales/)
    assert.deepEqual(
      elsewhere.map(({ context }) => context),
      ['/sales/eu', '/support']
    )
  })

  it('is nowhere for whoever may not learn of the context that it lives in', () => {
    const contexts = tree()
    register(contexts, '/support', 'greet')
    const knows = (path: string) => !path.startsWith('/support')
    const told = explain(contexts, { context: '/sales', kind: 'component', name: 'greet' }, knows)
    assert.ok(!told.visible && told.because === 'unknown')
    assert.doesNotMatch(JSON.stringify(told), /support/)
  })
})

describe('what is nowhere', () => {
  it('is said to be, with what there is and what may be meant', () => {
    const contexts = tree()
    register(contexts, '/sales', 'greet')
    register(contexts, '/', 'parser')
    const { because, text, remedy, elsewhere } = hidden(contexts, '/sales', 'great')
    assert.deepEqual([because, elsewhere], ['unknown', []])
    assert.equal(text, 'No component "great" is registered anywhere.')
    assert.equal(remedy, 'Known in /sales: parser, greet. Did you mean "greet"?')
  })

  it('is not taken for a name that is hidden from here', () => {
    const contexts = tree()
    register(contexts, '/support', 'greet')
    assert.equal(hidden(contexts, '/sales', 'great').remedy, 'No component is visible in /sales.')
  })

  it('is told what there is once each, however many hooks have the name', () => {
    const contexts = tree()
    for (const context of ['/', '/', '/sales']) register(contexts, context, 'onStep', 'hook')
    assert.equal(hidden(contexts, '/sales', 'onRunStart', 'hook').remedy, 'Known in /sales: onStep.')
  })

  it('is everything, seen from a context that is not there any more', () => {
    const contexts = tree()
    register(contexts, '/', 'parser')
    const { because, text, remedy } = hidden(contexts, '/gone', 'parser')
    assert.equal(because, 'unknown')
    assert.match(text, /cannot be seen from \/gone: there is no such context any more/)
    assert.match(remedy, /Load the plugin that makes it again, or move the flow/)
  })

  it('is asked for by kind: a variable is not a component', () => {
    const contexts = tree()
    register(contexts, '/', 'region', 'variable')
    assert.equal(hidden(contexts, '/', 'region').because, 'unknown')
    assert.ok(ask(contexts, '/', 'region', 'variable').visible)
  })
})
