import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { startService } from './support/service.ts'

type Ended = RunBody & { readonly output: unknown }
type Logs = readonly { readonly level: string; readonly text: string }[]

const computes = (fields: object, more: object = {}) => ({
  name: 'Computes',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'code-1', type: 'code', fields, ...more },
    { id: 'answer', type: 'return' }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'code-1.data' },
    { from: 'code-1.result', to: 'answer.data' }
  ]
})

test('code in flows', async (t) => {
  const service = await startService(t)

  async function run(document: Readonly<Record<string, unknown>>, input: unknown): Promise<Ended> {
    const { slug } = await service.createFlow(document)
    const answer = await service.post(`/api/v1/run/${slug}`, { input })
    assert.equal(answer.status, 200, answer.text)
    return answer.json<Ended>()
  }

  const stepOf = ({ steps }: Ended, id: string) =>
    steps.find(({ node }) => node === id) as RunBody['steps'][number] & { readonly logs?: Logs }

  await t.test('reads files of its run, and no others', async () => {
    const bytes = 'sku;qty\nA-1;2\n'
    const sent = await service.request('POST', '/api/v1/files?filename=a.csv', {
      body: Buffer.from(bytes),
      headers: { 'content-type': 'text/csv; charset=utf-8' }
    })
    const upload = sent.json<{ file: string }>()
    const code = `console.log('read')
return { text: files.text(data.upload), length: files.bytes(data.upload.file).length }`
    const ended = await run(computes({ code }), { upload })
    assert.deepEqual(ended.output, { text: bytes, length: bytes.length })
    assert.equal(stepOf(ended, 'code-1').logs?.length, 1)
    const other = { upload: { file: `file_${'A'.repeat(22)}` } }
    const failed = await run(
      computes({ code: 'try { return files.bytes(data.upload) } catch { return 1 }' }),
      other
    )
    assert.equal(failed.error?.code, 'file_not_found')
    assert.match(
      (await run(computes({ code: 'return files.text(data)' }), 7)).error?.message ?? '',
      /It is no file/
    )
  })

  await t.test('gives its result on, and its step shows what it logged', async () => {
    const code = `console.log("items", data.items.length)
const add = (a: number, b: number): number => a + b
return { total: data.items.reduce(add), at: new Date(), $left: \`{$left}\` }`
    const ended = await run(computes({ code }), { items: [1, 2, 3.5] })
    assert.deepEqual(ended.output, { total: 6.5, at: ended.created_at, $left: '{$left}' })
    assert.deepEqual(stepOf(ended, 'code-1').logs, [{ level: 'log', text: 'items 3' }])
    assert.equal('logs' in stepOf(ended, 'webhook-1'), false)
    assert.deepEqual((await service.run(ended.flow_id, '{"items":[1]}')).steps.length, 3)
  })

  await t.test('is silent where it returns nothing', async () => {
    const ended = await run(computes({ code: 'console.warn("nothing")' }), {})
    assert.deepEqual(
      [ended.status, ended.output, stepOf(ended, 'answer').status],
      ['succeeded', null, 'skipped']
    )
  })

  await t.test('fails by its own error, with line and column, and what it logged before', async () => {
    const faults: readonly [fields: object, code: string, message: RegExp][] = [
      [{ code: 'console.log(1)\nreturn data.a.b' }, 'code_failed', /Line 2, column 8: TypeError: .*\.$/],
      [{ code: 'return fetch("x")' }, 'code_failed', /fetch is not defined\. There is no network inside/],
      [{ code: 'await new Promise(() => {})' }, 'code_failed', /a promise that nothing settles/],
      [{ code: 'let a = = 1' }, 'code_syntax', /Line 1, column 9: Expression expected/],
      [{ code: 'return { f() {} }' }, 'code_result', /result\.f is a function\. Give back/],
      [{ code: 'for (;;) {}', timeout_ms: 30 }, 'code_timeout', /longer than 30 ms .* timeout_ms/],
      [{ code: 'for (let a = [];;) a.push(a.length)', memory_mb: 8 }, 'code_memory', /8 MB .* memory_mb/],
      [{ code: 'return "x".repeat(17e6)' }, 'output_too_large', /a step may put out 16 MB\. Give back less/]
    ]
    for (const [fields, code, message] of faults) {
      // Time enough for a busy machine, where it is not about time.
      const ended = await run(computes({ timeout_ms: 60_000, ...fields }), {})
      assert.deepEqual([ended.status, ended.error?.code], ['failed', code], JSON.stringify(ended.error))
      assert.match(ended.error!.message, message)
      const isLogged = JSON.stringify(fields).includes('console')
      assert.equal(stepOf(ended, 'code-1').logs?.length, isLogged ? 1 : undefined)
    }
  })

  await t.test('leads its error on, and ends by the time of its node too', async () => {
    const { steps } = await run(computes({ code: 'throw new Error("no")' }, { on_error: 'output' }), {})
    assert.equal(steps.find(({ node }) => node === 'code-1')?.status, 'failed')
    const late = await run(computes({ code: 'for (;;) {}' }, { timeout_ms: 30 }), {})
    assert.equal(late.error?.code, 'step_timeout')
  })

  await t.test('runs for each item', async () => {
    const ended = await run(
      {
        name: 'Items',
        nodes: [
          { id: 'webhook-1', type: 'webhook' },
          { id: 'each', type: 'for-each', fields: { concurrency: 4 } },
          { id: 'code-1', type: 'code', parent: 'each', fields: { code: 'return data * 2' } },
          { id: 'answer', type: 'return' }
        ],
        edges: [
          { from: 'webhook-1.data', to: 'each.items' },
          { from: 'each.item', to: 'code-1.data' },
          { from: 'code-1.result', to: 'each.result' },
          { from: 'each.results', to: 'answer.data' }
        ]
      },
      [1, 2, 3]
    )
    assert.deepEqual(ended.output, [2, 4, 6])
  })

  await t.test('transforms by an expression, which reads no variables of the context', async () => {
    const transforms = (expression: string) => ({
      name: 'Transforms',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'transform-1', type: 'transform', fields: { expression } },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'transform-1.data' },
        { from: 'transform-1.data', to: 'answer.data' }
      ]
    })
    const expression = '{ "names": $map(people, function($p){$p}).name, "count": $count(people) }'
    const { output } = await run(transforms(expression), { people: [{ name: 'Ann' }, { name: 'Bob' }] })
    assert.deepEqual(output, { names: ['Ann', 'Bob'], count: 2 })
    assert.equal((await run(transforms('1 + "a"'), {})).error?.code, 'transform_failed')
    assert.equal((await service.post('/api/v1/flows', transforms(''))).status, 422)
    const unread = await service.post('/api/v1/flows', transforms('people.\n)'))
    assert.equal(unread.status, 422)
    const [fault] = unread.json<{ errors: { message: string; line: number; column: number }[] }>().errors
    assert.match(fault!.message, /Field "expression" of node "transform-1": /)
    assert.deepEqual([fault!.line, fault!.column], [2, 1])
  })

  await t.test('is tried as it is typed, and is not saved empty', async () => {
    const flow = await service.createFlow(computes({ code: 'return data' }))
    const tried = async (code: string) =>
      (
        await service.post(`/api/v1/flows/${flow.id}/nodes/code-1/run`, {
          inputs: { data: { n: 20 } },
          fields: { code }
        })
      ).json<{ status: string; outputs: object | null; error: { code: string } | null; logs?: Logs }>()
    const good = await tried('console.info("n")\nreturn data.n + 1')
    assert.deepEqual([good.outputs, good.logs], [{ result: 21 }, [{ level: 'info', text: 'n' }]])
    assert.equal((await tried('return data.')).error?.code, 'code_syntax')
    const empty = await service.post('/api/v1/flows', computes({ code: ' ' }))
    assert.equal(empty.status, 422)
    assert.match(empty.text, /"code-1".*It is empty\. Write code that returns/)
  })
})
