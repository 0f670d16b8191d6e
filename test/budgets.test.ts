import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { startModelStage } from './support/model-provider/model-stage.ts'

interface Listed {
  readonly budgets: readonly { context: string; spent: number; state: string }[]
}

test('Budgets', async (t) => {
  const { service, provider, flowOf, ask } = await startModelStage(t)
  const put = (path: string, body: object, key = service.key) =>
    service.request('PUT', `/api/v1/${path}`, { body, key })
  const prices = { prices: [{ model: 'large', input: 1_000, cached: 1_000, output: 1_000 }] }
  assert.equal((await put('prices', prices)).status, 200)
  const usage = { input: 600, output: 400 }
  const cost = (run: RunBody) => (run as RunBody & { cost: number | null }).cost

  await t.test('a call has a cost, which the run, its step and the usage tell', async () => {
    const { run, flow, outputs } = await ask({}, { replies: [{ pieces: ['Hi'], usage }] })
    assert.deepEqual([cost(run), (outputs.usage as { cost?: number }).cost], [1, 1])
    const told = (await service.get(`/api/v1/usage?flow_id=${flow.id}`)).json<{
      total: { cost: number; calls: number; input_tokens: number }
      days: { day: string; models: { model: string; cost: number }[] }[]
      flows: { name: string; cost: number }[]
    }>()
    assert.partialDeepStrictEqual(told.total, { cost: 1, calls: 1, input_tokens: 600 })
    assert.partialDeepStrictEqual(told.flows, [{ name: flow.name, cost: 1 }])
    assert.partialDeepStrictEqual(told.days.at(-1)!.models, [{ model: 'large', cost: 1 }])
  })

  await t.test('what a budget does not cover is refused before the model is asked', async () => {
    assert.equal((await put('budgets', { context: '/', per_month: 3 })).status, 200)
    const bounded = { max_tokens: 400 }
    const first = await ask(bounded, { replies: [{ pieces: ['Hi'], usage }] })
    assert.equal(first.run.status, 'succeeded', JSON.stringify(first.run.error))
    const calls = provider.calls.length
    const flow = await service.createFlow(flowOf(bounded))
    for (let n = 0; n < 8; n++) provider.answer({ pieces: ['Hi'], usage })
    const runs = await Promise.all(
      Array.from({ length: 8 }, async () =>
        (await service.post(`/api/v1/run/${flow.slug}`, { input: 'Hi' })).json<RunBody>()
      )
    )
    const refused = runs.filter(({ error }) => error?.code === 'budget_exceeded')
    assert.ok(provider.calls.length - calls <= 2, `${provider.calls.length - calls} were asked`)
    assert.equal(refused.length, 8 - (provider.calls.length - calls))
    assert.match(refused[0]!.error!.message, /The budget of the context "\/" .* of 3\.00/)
    const { budgets } = (await service.get('/api/v1/budgets')).json<Listed>()
    assert.deepEqual(
      budgets.map(({ context, state }) => [context, state !== 'ok']),
      [['/', true]]
    )
    assert.match(
      (await service.get('/metrics')).text,
      /^millrace_budget_spent_ratio\{context="\/"\} [\d.]+$/m
    )
    assert.equal((await put('budgets', { context: '/', per_month: null })).status, 200)
  })

  await t.test('a run has a limit of its own', async () => {
    await put('budgets', { context: '/', per_run: 0.1 })
    const { run } = await ask({ max_tokens: 400 })
    assert.equal(run.error?.code, 'run_budget_exceeded')
    const { run: unpriced } = await ask({ model: 'nameless' })
    assert.equal(unpriced.error?.code, 'model_without_price')
    await put('budgets', { context: '/' })
  })

  await t.test('are nobody’s in another context, and are set from above', async () => {
    await service.post('/api/v1/contexts', { parent: '/', name: 'sales' })
    await service.post('/api/v1/contexts', { parent: '/', name: 'shop' })
    await put('budgets', { context: '/sales', per_month: 1 })
    const rights = ['read', 'admin']
    const sales = (await service.createKey({ rights, context: '/sales' })).key
    const shop = (await service.createKey({ rights, context: '/shop' })).key
    const seen = async (key: string) =>
      (await service.get('/api/v1/budgets', { key })).json<Listed>().budgets.map(({ context }) => context)
    assert.deepEqual([await seen(sales), await seen(shop)], [['/sales'], []])
    problemOf(await put('budgets', { context: '/sales', per_month: 99 }, sales), 403, 'forbidden')
    problemOf(await put('budgets', { context: '/sales', per_month: 99 }, shop), 404, 'context_not_found')
    problemOf(await put('prices', { prices: [] }, sales), 403, 'forbidden')
    const used = (await service.get('/api/v1/usage', { key: shop })).json<{ total: { cost: number } }>()
    assert.equal(used.total.cost, 0)
  })
})
