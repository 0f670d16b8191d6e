import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { contextAt, flowIn, makeContext, pathsOf, startWith } from './support/contexts.ts'
import { SALES, send } from './support/made-contexts.ts'
import { startService } from './support/service.ts'

describe('after a restart', () => {
  it('contexts, what they hold and the flows in them are as they were', async (t) => {
    const service = await startWith(t, SALES)
    const made = await makeContext(service, '/sales/eu', {
      variables: { region: 'eu' },
      default_auth: 'None',
      limits: { concurrency: 2 }
    })
    await makeContext(service, '/sales/eu/west')
    const flow = await service.createFlow(
      flowIn('/sales/eu/west', { type: 'parser', fields: { template: '{$team} {$region}' } })
    )
    await service.stop()
    const again = await startWith(t, SALES, { home: service.home })
    const after = await contextAt(again, '/sales/eu')
    assert.deepEqual(
      [after.id, after.variables, after.default_auth, after.limits],
      [made.id, { region: 'eu' }, 'None', { concurrency: 2 }]
    )
    const run = await again.run(flow.slug, '{}', { key: null })
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: 'sales eu' })
    assert.equal((await send(again, 'DELETE', '/sales/eu')).status, 409)
  })

  it('without the plugin above they wait unseen, their flows with them, and come back with it', async (t) => {
    const service = await startWith(t, SALES)
    await makeContext(service, '/sales/eu')
    const flow = await service.createFlow(flowIn('/sales/eu', undefined, { auth: 'None' }))
    await service.stop()
    const without = await startService(t, { home: service.home })
    assert.deepEqual(await pathsOf(without), ['/'])
    assert.equal((await without.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>().context, '/sales/eu')
    problemOf(await without.webhook(flow.slug, '{}', { key: null }), 401, 'unauthorized')
    const { detail } = problemOf(await without.webhook(flow.slug), 409, 'flow_context_gone')
    assert.match(detail, /"\/sales\/eu", which does not exist\. Load the plugin/)
    const run = (await without.post(`/api/v1/run/${flow.slug}`, {})).json<RunBody>()
    assert.match(run.error!.message, /cannot be seen from \/sales\/eu: there is no such context any more/)
    await without.stop()
    const back = await startWith(t, SALES, { home: service.home })
    assert.deepEqual(await pathsOf(back), ['/', '/sales', '/sales/eu'])
    assert.equal((await back.run(flow.slug, '{}', { key: null })).status, 'succeeded')
  })
})
