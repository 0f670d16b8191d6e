import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import {
  type ContextBody,
  changeContext,
  contextAt,
  flowIn,
  makeContext,
  pathsOf,
  startWith
} from './support/contexts.ts'
import { eventually } from './support/eventually.ts'
import { SALES, send } from './support/made-contexts.ts'
import { type Call, startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

describe('a context that is made while the service runs', () => {
  it('stands under any context, and is shown with all that it was made with', async (t) => {
    const service = await startWith(t, SALES)
    const settings = { variables: { region: 'eu', n: 1, deep: { a: [true, null] } }, default_auth: 'None' }
    const made = await makeContext(service, '/sales/eu', { ...settings, limits: { rate_limit: 5 } })
    assert.deepEqual(
      [made.path, made.name, made.parent, made.kind, made.owner],
      ['/sales/eu', 'eu', '/sales', 'data', 'the API']
    )
    assert.deepEqual(
      [made.variables, made.default_auth, made.limits],
      [settings.variables, 'None', { rate_limit: 5 }]
    )
    assert.deepEqual(await contextAt(service, '/sales/eu'), made)
    const below = await makeContext(service, '/sales/eu/west')
    assert.deepEqual([below.variables, below.default_auth, below.limits], [{}, null, {}])
    const seen = below.sees.filter(({ kind }) => kind === 'variable')
    assert.deepEqual(
      seen.map(({ name, context, inherited_from }) => [name, context, inherited_from]),
      [
        ['team', '/sales', '/sales'],
        ['region', '/sales/eu', '/sales/eu'],
        ['n', '/sales/eu', '/sales/eu'],
        ['deep', '/sales/eu', '/sales/eu']
      ]
    )
    const root = await service.post('/api/v1/contexts', { name: 'rooted' })
    assert.equal(root.json<ContextBody>().path, '/rooted', 'the root is meant where no parent is named')
  })

  it('is refused where something is wrong with it, and says what', async (t) => {
    const service = await startWith(t, SALES)
    await makeContext(service, '/eu')
    const refused: [body: unknown, status: number, code: string][] = [
      [undefined, 422, 'invalid_request'],
      [{}, 422, 'invalid_request'],
      [{ name: '' }, 422, 'invalid_request'],
      [{ name: 'a/b' }, 422, 'invalid_request'],
      [{ name: 'x'.repeat(61) }, 422, 'invalid_request'],
      [{ name: 'a', parent: 'sales' }, 422, 'invalid_request'],
      [{ name: 'a', more: 1 }, 422, 'invalid_request'],
      [{ name: 'a', variables: { 'a b': 1 } }, 422, 'invalid_request'],
      [{ name: 'a', variables: { '1a': 1 } }, 422, 'invalid_request'],
      [{ name: 'a', variables: { resume: 1 } }, 422, 'invalid_request'],
      [{ name: 'a', default_auth: 'Any' }, 422, 'invalid_request'],
      [{ name: 'a', limits: { rate_limit: -1 } }, 422, 'invalid_request'],
      [{ name: 'a', limits: { rate_limit: 1.5 } }, 422, 'invalid_request'],
      [{ name: 'a', limits: { memory: 1 } }, 422, 'invalid_request'],
      [{ name: 'a', parent: '/nowhere' }, 404, 'context_not_found'],
      [{ name: 'eu' }, 409, 'context_exists'],
      [{ name: 'sales' }, 409, 'context_exists']
    ]
    for (const [body, status, code] of refused)
      problemOf(await service.post('/api/v1/contexts', body), status, code)
    assert.deepEqual(await pathsOf(service), ['/', '/eu', '/sales'])
  })

  it('is made once where two ask for it at the same moment', async (t) => {
    const service = await startService(t)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.post('/api/v1/contexts', { name: 'eu' }))
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
    assert.deepEqual(await pathsOf(service), ['/', '/eu'])
  })

  it('is not deleted under a flow that moves in at the same moment', async (t) => {
    const service = await startService(t)
    for (let round = 0; round < 10; round++) {
      const path = `/c${round}`
      await makeContext(service, path)
      const [flow, gone] = await Promise.all([
        service.post('/api/v1/flows', flowIn(path)),
        send(service, 'DELETE', path)
      ])
      if (flow.status === 201) problemOf(gone, 409, 'context_in_use')
      else assert.equal(problemOf(flow, 422, 'flow_invalid').errors![0]!.code, 'unknown_context')
    }
    const paths = await pathsOf(service)
    const { flows } = (await service.get('/api/v1/flows')).json<{ flows: FlowBody[] }>()
    assert.deepEqual(
      flows.filter(({ context }) => !paths.includes(context)),
      []
    )
  })

  it('is named by its id or by its encoded path', async (t) => {
    const service = await startWith(t, SALES)
    const { id } = await makeContext(service, '/sales/eu')
    for (const reference of [id!, '/sales/eu', 'sales/eu']) {
      const answer = await send(service, 'PATCH', reference, { variables: { by: reference } })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.json<ContextBody>().variables, { by: reference })
    }
    await makeContext(service, '/explain')
    assert.equal((await send(service, 'DELETE', 'explain')).status, 204, 'also where a route has that name')
    for (const reference of ['absent', '/absent', '%', '/sales/eu/']) {
      problemOf(await send(service, 'PATCH', reference, {}), 404, 'context_not_found')
      problemOf(await send(service, 'DELETE', reference), 404, 'context_not_found')
    }
  })

  it('can be renamed and moved with all below it; flows see their new ancestors', async (t) => {
    const service = await startWith(t, SALES)
    const eu = await makeContext(service, '/eu', { variables: { region: 'eu' } })
    const west = await makeContext(service, '/eu/west')
    const moved = await changeContext(service, '/eu', { name: 'europe', parent: '/sales' })
    assert.deepEqual([moved.path, moved.id, moved.variables], ['/sales/europe', eu.id, { region: 'eu' }])
    assert.deepEqual(await pathsOf(service), ['/', '/sales', '/sales/europe', '/sales/europe/west'])
    assert.equal((await contextAt(service, '/sales/europe/west')).id, west.id)
    const { slug } = await service.createFlow(
      flowIn('/sales/europe/west', { type: 'parser', fields: { template: '{$team} {$region}' } })
    )
    assert.deepEqual((await service.run(slug)).steps[1]!.outputs, { parsed_text: 'sales eu' })
    problemOf(await service.post('/api/v1/flows', flowIn('/eu')), 422, 'flow_invalid')
  })

  it('cannot be moved to where it cannot be', async (t) => {
    const service = await startWith(t, SALES)
    for (const path of ['/eu', '/eu/west', '/us']) await makeContext(service, path)
    const refused: [change: object, status: number, code: string][] = [
      [{ parent: '/nowhere' }, 404, 'context_not_found'],
      [{ name: 'us' }, 409, 'context_exists'],
      [{ name: 'sales' }, 409, 'context_exists'],
      [{ parent: '/eu' }, 409, 'context_in_use'],
      [{ parent: '/eu/west' }, 409, 'context_in_use'],
      [{ name: 'a b' }, 422, 'invalid_request']
    ]
    for (const [change, status, code] of refused)
      problemOf(await send(service, 'PATCH', '/eu', change), status, code)
    assert.deepEqual(await pathsOf(service), ['/', '/eu', '/eu/west', '/sales', '/us'])
  })

  it('is neither moved nor deleted while runs go on that began in it, wherever their flow is now', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const call = { type: 'call', fields: { url: outside.url() } }
    for (const path of ['/eu', '/us']) await makeContext(service, path, { variables: { region: path } })
    const moved = await service.createFlow(flowIn('/eu', call))
    const gone = await service.createFlow(flowIn('/us', call))
    const runs: [path: string, run: string, call: Call][] = []
    for (const { context, slug } of [moved, gone])
      runs.push([context, await service.start(slug), await outside.next()])
    await service.saveFlow(moved, { context: '/' })
    await service.request('DELETE', `/api/v1/flows/${gone.id}`)
    for (const [path, run, waiting] of runs) {
      const refused = problemOf(await send(service, 'DELETE', path), 409, 'context_in_use')
      assert.match(refused.detail, /runs that began there/)
      problemOf(await send(service, 'PATCH', path, { name: 'x' }), 409, 'context_in_use')
      const events = await service.allEvents()
      waiting.answer({ done: true })
      await events.until(({ event }) => event === 'run.ended')
      assert.equal((await service.readRun(run)).status, 'succeeded')
      assert.equal((await send(service, 'DELETE', path)).status, 204)
    }
  })

  it('is not deleted while a run waits there that another one started', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu')
    const inner = await service.createFlow(flowIn('/eu', { type: 'wait-for-call' }))
    const outer = await service.createFlow(
      flowIn('/eu', { type: 'run-flow', fields: { flow: inner.slug, wait: false } })
    )
    const id = await service.start(outer.slug)
    type Runs = { runs: { id: string; status: string }[] }
    const children = async () => (await service.get(`/api/v1/runs?parent=${id}`)).json<Runs>().runs
    await eventually(async () => (await children())[0]?.status, 'waiting')
    for (const flow of [outer, inner]) await service.saveFlow(flow, { context: '/' })
    assert.equal((await service.readRun(id)).status, 'succeeded')
    const refused = problemOf(await send(service, 'DELETE', '/eu'), 409, 'context_in_use')
    assert.match(refused.detail, /runs that began there/)
    const [child] = await children()
    assert.equal((await service.post(`/api/v1/runs/${child!.id}/cancel`)).status, 200)
    assert.equal((await send(service, 'DELETE', '/eu')).status, 204)
  })

  it('is not deleted while a draft is tried out that names it', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu')
    const flow = await service.createFlow(flowIn('/', { type: 'wait-for-call' }))
    const body = { ...flow, context: '/eu', revision: 0 }
    const path = `/api/v1/flows/${flow.id}`
    assert.equal((await service.request('PUT', `${path}/draft`, { body })).status, 200)
    const test = await service.post(`${path}/test`, { input: {} })
    const { id, status } = test.json<RunBody>()
    assert.equal(status, 'waiting', test.text)
    problemOf(await send(service, 'DELETE', '/eu'), 409, 'context_in_use')
    assert.equal((await service.post(`/api/v1/runs/${id}/cancel`)).status, 200)
    assert.equal((await send(service, 'DELETE', '/eu')).status, 204)
  })

  it('is neither moved, renamed nor deleted while flows live in it or below', async (t) => {
    const service = await startService(t)
    for (const path of ['/eu', '/eu/west', '/us']) await makeContext(service, path)
    const flow = await service.createFlow(flowIn('/eu/west'))
    for (const path of ['/eu', '/eu/west']) {
      problemOf(await send(service, 'PATCH', path, { name: 'x' }), 409, 'context_in_use')
      problemOf(await send(service, 'PATCH', path, { parent: '/us' }), 409, 'context_in_use')
      problemOf(await send(service, 'DELETE', path), 409, 'context_in_use')
      assert.equal((await send(service, 'PATCH', path, { variables: { a: 1 } })).status, 200, 'it can be set')
    }
    await service.saveFlow(flow, { context: '/us' })
    problemOf(await send(service, 'DELETE', '/eu'), 409, 'context_in_use')
    assert.equal((await send(service, 'PATCH', '/eu', { name: 'europe' })).status, 200)
    assert.equal((await send(service, 'DELETE', '/europe/west')).status, 204)
    assert.equal((await send(service, 'DELETE', '/europe')).status, 204)
    problemOf(await send(service, 'DELETE', '/us'), 409, 'context_in_use')
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    assert.equal((await send(service, 'DELETE', '/us')).status, 204)
    assert.deepEqual(await pathsOf(service), ['/'])
  })

  it('is neither moved nor deleted while keys are bound to it or below', async (t) => {
    const service = await startService(t)
    for (const path of ['/eu', '/eu/west']) await makeContext(service, path)
    const { id } = await service.createKey({ context: '/eu/west' })
    for (const path of ['/eu', '/eu/west']) {
      problemOf(await send(service, 'PATCH', path, { name: 'x' }), 409, 'context_in_use')
    }
    problemOf(await send(service, 'DELETE', '/eu/west'), 409, 'context_in_use')
    await service.request('DELETE', `/api/v1/keys/${id}`)
    assert.equal((await send(service, 'DELETE', '/eu/west')).status, 204)
  })

  it('is not what code made: that is changed in the code', async (t) => {
    const service = await startWith(t, SALES)
    for (const path of ['/sales', '/']) {
      problemOf(await send(service, 'PATCH', path, { name: 'x' }), 409, 'context_is_code')
      problemOf(await send(service, 'DELETE', path), 409, 'context_is_code')
    }
    problemOf(await send(service, 'PATCH', '/sales', { variables: {} }), 409, 'context_is_code')
  })
})
