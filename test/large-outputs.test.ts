import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { changeContext, flowIn, makeContext } from './support/contexts.ts'
import { ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
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

describe('a large output', () => {
  const MEGABYTES = 6

  it('is stored once, and told whole wherever it is asked for', async (t) => {
    const service = await startService(t)
    const { id, slug } = await service.createFlow(printingFlow(1_024))
    const run = await service.run(slug, items(MEGABYTES * 1024))
    assert.equal(run.status, 'succeeded')
    const text = run.steps[1]!.outputs!.parsed_text as string
    assert.equal(text.length, MEGABYTES * 1024 ** 2)
    assert.equal(text.slice(1023, 1026), 'x1x')
    assert.ok(run.steps[2]!.outputs!.message === text, 'Chat Output has given it on')
    assert.ok(run.messages![0]!.text === text, 'the run tells what was said')
    const said = await service.get(`/api/v1/flows/${id}/messages`)
    assert.ok(said.json<{ messages: { text: string }[] }>().messages[0]!.text === text, 'so do the messages')
    const latest = await service.get(`/api/v1/flows/${id}/nodes/chat-output-1/output`)
    assert.ok(latest.json<{ outputs: { message: string } }>().outputs.message === text, 'and the node')
    // The log is written back into the database: both may hold it once, and neither more.
    assert.ok((await diskUse(service)) < 3 * MEGABYTES, `${await diskUse(service)} MB`)
  })

  it('is left out of events, which say so', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(printingFlow(1_024))
    const events = await service.events(flow.id)
    const id = await service.start(flow.slug, items(200))
    const told = await events.until(({ event, data }) => event === 'run.ended' && data.run_id === id)
    const step = told.map(({ data }) => data.step as { node: string } | undefined)
    const parser = step.find((one) => one?.node === 'parser-1') as unknown as Record<string, unknown>
    assert.deepEqual([parser.outputs, parser.outputs_omitted], [null, true])
    const message = told.find(({ event }) => event === 'message')!.data
    assert.deepEqual([message.text, message.text_omitted], ['', true])
  })

  it('is there for the steps that follow when the run goes on in another process', async (t) => {
    const first = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const [webhook, parser] = printingFlow(1_024).nodes
    const flow = await first.createFlow({
      name: 'Send on',
      nodes: [webhook, parser, { id: 'call-1', type: 'call', fields: { url: outside.url() } }],
      edges: [
        { from: 'webhook-1.data', to: 'parser-1.data' },
        { from: 'parser-1.parsed_text', to: 'call-1.data' }
      ]
    })
    const id = await first.start(flow.slug, items(1024))
    const refused = await outside.next()
    refused.answer({}, 400)
    assert.equal((await first.waitForRun(id)).status, 'failed')
    await first.stop()
    const again = await startService(t, { home: first.home, plugins: ['call.ts'] })
    outside.answerAll(() => ({ body: { taken: true } }))
    assert.equal((await again.post(`/api/v1/runs/${id}/retry`)).status, 202)
    const run = await again.waitForRun(id)
    assert.equal(run.status, 'succeeded')
    assert.equal(outside.calls.length, 2)
    assert.ok(outside.calls[1]!.body === refused.body, 'the same text was sent again')
    assert.equal((run.steps[1]!.outputs!.parsed_text as string).length, 1024 ** 2)
  })
})
