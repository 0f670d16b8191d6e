import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { flowIn, makeContext, startWith } from './support/contexts.ts'
import { type Service, startService } from './support/service.ts'

interface ExplanationBody {
  readonly visible: boolean
  readonly context: string
  readonly kind: string
  readonly name: string
  readonly inherited_from?: string | null
  readonly registered_in?: string
  readonly registered_by?: string
  readonly source?: string | null
  readonly because?: string
  readonly elsewhere?: { registered_in: string; registered_by: string; source: string | null }[]
  readonly explanation: string
  readonly remedy?: string
}

interface Asked {
  readonly context?: string
  readonly kind?: string
  readonly name: string
}

async function explain(client: ApiClient, asked: Asked, key?: string): Promise<ExplanationBody> {
  const query = new URLSearchParams({ kind: 'component', ...asked })
  const answer = await client.get(`/api/v1/contexts/explain?${query}`, key === undefined ? {} : { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<ExplanationBody>()
}

/** test/plugins/company.ts, with a context that holds data below /sales/eu and one beside it. */
async function company(t: TestContext): Promise<Service> {
  const service = await startService(t, { plugins: ['company.ts'] })
  await makeContext(service, '/sales/eu/west', { variables: { region: 'west' } })
  await makeContext(service, '/plain')
  return service
}

describe('the explanation of a name', () => {
  it('that is visible tells whether it is inherited, from where, and who registered it at which line', async (t) => {
    const service = await company(t)
    const own = await explain(service, { context: '/sales', name: 'of-sales' })
    assert.deepEqual(
      [own.visible, own.context, own.kind, own.name],
      [true, '/sales', 'component', 'of-sales']
    )
    assert.deepEqual([own.inherited_from, own.registered_in, own.registered_by], [null, '/sales', 'sales'])
    assert.match(own.source!, /^test\/plugins\/company\.ts:\d+$/)
    assert.match(
      own.explanation,
      /visible in \/sales: it is registered there, registered by sales in \/sales at test/
    )
    const inherited = await explain(service, { context: '/sales/eu/west', name: 'of-sales' })
    assert.deepEqual([inherited.inherited_from, inherited.registered_by], ['/sales', 'sales'])
    assert.match(
      inherited.explanation,
      /it is inherited from \/sales, registered by sales in \/sales at test/
    )
    const root = await explain(service, { name: 'parser' })
    assert.deepEqual([root.context, root.registered_by, root.source], ['/', 'millrace', null])
  })

  it('that is hidden in a descendant tells so, and what would make it visible', async (t) => {
    const service = await company(t)
    const child = await explain(service, { context: '/', name: 'of-sales' })
    assert.deepEqual([child.visible, child.because], [false, 'descendant'])
    assert.match(
      child.explanation,
      /hidden from \/: it lives in \/sales, below \/, .* registered by sales in \/sales at/
    )
    assert.equal(
      child.remedy,
      'Wrap sales with share() so that it registers into /, register it in /, or move the flow into /sales.'
    )
    assert.deepEqual(
      child.elsewhere!.map(({ registered_in, registered_by }) => [registered_in, registered_by]),
      [['/sales', 'sales']]
    )
    const grandchild = await explain(service, { name: 'of-eu' })
    assert.equal(grandchild.remedy, 'Register it in /, or move the flow into /sales/eu.')
  })

  it('that is hidden in a sibling tells so, and names the plugin that made the sibling', async (t) => {
    const service = await company(t)
    for (const context of ['/sales', '/sales/eu', '/sales/eu/west', '/plain']) {
      const { because, explanation, remedy } = await explain(service, { context, name: 'of-support' })
      assert.equal(because, 'sibling')
      assert.ok(explanation.includes(`it lives in /support, beside ${context}`), explanation)
      assert.match(
        remedy!,
        /^Wrap helpdesk with share\(\) so that it registers into \/, register it in \/, or move/
      )
    }
    const variable = await explain(service, { context: '/plain', kind: 'variable', name: 'region' })
    assert.equal(variable.because, 'sibling')
    assert.equal(variable.remedy, 'Register it in /, or move the flow into /sales/eu/west.')
  })

  it('that is nowhere tells what there is and what may be meant', async (t) => {
    const service = await company(t)
    const { because, elsewhere, explanation, remedy } = await explain(service, {
      context: '/sales',
      name: 'of-sale'
    })
    assert.deepEqual([because, elsewhere], ['unknown', []])
    assert.equal(explanation, 'No component "of-sale" is registered anywhere.')
    assert.match(remedy!, /^Known in \/sales: webhook, .*of-company, of-sales\. Did you mean "of-sales"\?$/)
  })

  it('is there for every kind', async (t) => {
    const service = await company(t)
    const names: Record<string, string> = {
      component: 'of-sales',
      decoration: 'of_sales',
      variable: 'of_sales',
      hook: 'onStep',
      plugin: 'sales',
      decorator: 'request.of_sales',
      route: 'GET /look/sales'
    }
    for (const [kind, name] of Object.entries(names)) {
      const below = await explain(service, { context: '/sales/eu', kind, name })
      assert.equal(below.visible, true, kind)
      // Hooks of the same name stand in every context; the nearest is told.
      assert.equal(below.inherited_from, kind === 'hook' ? null : '/sales', kind)
      if (kind !== 'hook') assert.equal((await explain(service, { kind, name })).because, 'descendant', kind)
    }
  })

  it('is refused where the question is none', async (t) => {
    const service = await startService(t)
    const get = (query: string) => service.get(`/api/v1/contexts/explain?${query}`)
    problemOf(await get('kind=component&name=x&context=/nowhere'), 404, 'context_not_found')
    assert.equal((await get('kind=component&name=x&context=')).status, 200, 'left blank, it is the root')
    for (const query of ['', 'kind=component', 'name=x', 'kind=component&name=', 'kind=magic&name=x']) {
      problemOf(await get(query), 422, 'invalid_request')
    }
  })
})

describe('a flow that uses a hidden component', () => {
  it('is refused with this very explanation', async (t) => {
    const service = await company(t)
    for (const [context, type] of [
      ['/', 'of-sales'],
      ['/', 'of-eu'],
      ['/support', 'of-sales'],
      ['/plain', 'of-support'],
      ['/sales', 'of-sale']
    ]) {
      const { explanation, remedy } = await explain(service, { context: context!, name: type! })
      const answer = await service.post('/api/v1/flows', flowIn(context!, { type }))
      const { errors } = problemOf(answer, 422, 'flow_invalid')
      const [fault] = errors!.filter(({ code }) => code === 'unknown_type')
      assert.deepEqual([fault!.path, fault!.node], ['/nodes/1/type', 'n'])
      assert.equal(fault!.message, `Node "n" is of the unknown type "${type}". ${explanation} ${remedy}`)
    }
  })

  it('is refused when it is moved to where the component is hidden', async (t) => {
    const service = await company(t)
    const flow = await service.createFlow(flowIn('/sales', { type: 'look' }))
    const own = await service.createFlow({
      name: 'Own',
      context: '/sales',
      nodes: [{ id: 'n', type: 'of-sales' }]
    })
    assert.equal((await service.saveFlow(flow, { context: '/support' })).context, '/support')
    const body = { ...own, context: '/support' }
    const answer = await service.request('PUT', `/api/v1/flows/${own.id}`, { body })
    const { detail } = problemOf(answer, 422, 'flow_invalid')
    assert.match(detail, /it lives in \/sales, beside \/support/)
  })
})

describe('for a key that is bound to a context', () => {
  it('nothing of a context beside its own is told, in explanations and in faults', async (t) => {
    const service = await startWith(t, {
      'sales.ts': 'export default async function sales () {}',
      'secret.ts': `export default async function secretTeam (context) {
        context.component({ type: 'spy', title: 'Spy', run: () => ({}) })
        context.variable('code', 'secret')
      }`
    })
    const { key } = await service.createKey({ rights: ['read', 'write'], context: '/sales' })
    const spy = await explain(service, { context: '/sales', name: 'spy' }, key)
    assert.equal(spy.because, 'unknown')
    const absent = await explain(service, { context: '/sales', name: 'spx' }, key)
    assert.equal(JSON.stringify(spy).replaceAll('spy', 'spx'), JSON.stringify(absent))
    const variable = await explain(service, { context: '/sales', kind: 'variable', name: 'code' }, key)
    assert.doesNotMatch(JSON.stringify([spy, variable]), /secret/)
    const flow = { ...flowIn('/sales'), slug: 'mine' }
    const made = (await service.post('/api/v1/flows', flow, { key })).json<object>()
    const spying = { ...made, nodes: [{ id: 'n', type: 'spy' }], edges: [] }
    for (const answer of [
      await service.post('/api/v1/flows', { ...spying, slug: 'other' }, { key }),
      await service.request('PUT', '/api/v1/flows/mine', { body: spying, key })
    ]) {
      problemOf(answer, 422, 'flow_invalid')
      assert.doesNotMatch(answer.text, /secret/)
    }
    assert.equal((await explain(service, { context: '/sales', name: 'spy' })).because, 'sibling')
    const asking = await service.get('/api/v1/contexts/explain?kind=component&name=spy&context=/secretTeam', {
      key
    })
    problemOf(asking, 404, 'context_not_found')
  })
})
