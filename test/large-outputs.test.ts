import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { changeContext, flowIn, makeContext } from './support/contexts.ts'
import { ordersFlow } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

/** Webhook → Parser → Chat Output, where the Parser prints so many characters for every item. */
function printingFlow(length: number, changes: Readonly<Record<string, unknown>> = {}) {
  const template = `{a}${'x'.repeat(length - 1)}`
  const [webhook, parser, chatOutput] = ordersFlow().nodes
  return ordersFlow({
    nodes: [webhook, { ...parser, fields: { template, separator: '' } }, chatOutput],
    ...changes
  })
}

function items(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, n) => ({ a: n % 10 })))
}

/** Megabytes of the files of the embedded store. */
async function diskUse({ home }: Service): Promise<number> {
  const sizes = await Promise.all(
    ['millrace.db', 'millrace.db-wal'].map(async (name) => (await stat(join(home, name))).size)
  )
  return (sizes[0]! + sizes[1]!) / 1024 ** 2
}

describe('a step that would put out too much', () => {
  it('fails, and hardly anything of it is stored', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(printingFlow(2_000))
    const run = await service.run(slug, items(33_000))
    assert.equal(run.status, 'failed')
    assert.equal(run.error!.code, 'output_too_large')
    assert.equal(
      run.error!.message,
      'Node "parser-1" (Parser) failed: It would put out about 63 MB, and a step may put out 16 MB. ' +
        "Send fewer items at once, or shorten the template, or raise step_output_bytes among the limits of the flow's context."
    )
    assert.ok((await diskUse(service)) < 8, `${await diskUse(service)} MB`)
  })

  it('is bound by what its context says, the nearest one, from the next run on', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/a', { limits: { step_output_bytes: 1_000, run_output_bytes: 1_500 } })
    await makeContext(service, '/a/b', { limits: { run_output_bytes: 5_000 } })
    const inner = await service.createFlow(flowIn('/a/b', { type: 'parser', fields: { template: '{text}' } }))
    const codeOf = async (length: number) => {
      const run = await service.run(inner.slug, JSON.stringify({ text: 'x'.repeat(length) }))
      return run.error?.code ?? run.status
    }
    assert.deepEqual([await codeOf(900), await codeOf(1_100)], ['succeeded', 'output_too_large'])
    await changeContext(service, '/a/b', { limits: { step_output_bytes: 2_000 } })
    assert.deepEqual([await codeOf(1_100), await codeOf(1_600)], ['succeeded', 'output_too_large'])
  })

  it('is bound by the environment where no context says anything', async (t) => {
    const service = await startService(t, { env: { MILLRACE_STEP_OUTPUT_LIMIT: '1kb' } })
    const { slug } = await service.createFlow(printingFlow(100))
    assert.equal((await service.run(slug, items(5))).status, 'succeeded')
    assert.equal((await service.run(slug, items(50))).error!.code, 'output_too_large')
  })

  it('fails with all that the steps of its run have put out before', async (t) => {
    const service = await startService(t, { env: { MILLRACE_RUN_OUTPUT_LIMIT: '3kb' } })
    const parsers = [1, 2, 3, 4].map((n) => {
      return { id: `parser-${n}`, type: 'parser', fields: { template: `${n}{text}` } }
    })
    const { slug } = await service.createFlow({
      name: 'Four',
      nodes: [{ id: 'webhook-1', type: 'webhook' }, ...parsers],
      edges: parsers.map(({ id }) => ({ from: 'webhook-1.data', to: `${id}.data` }))
    })
    const { error } = await service.run(slug, JSON.stringify({ text: 'x'.repeat(900) }))
    assert.deepEqual([error!.code, error!.node], ['output_too_large', 'parser-4'])
    assert.match(error!.message, /all steps of a run together may put out 3 kB/)
  })
})
