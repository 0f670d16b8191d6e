import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, type FlowBody, problemOf } from './support/api-client.ts'
import { run } from './support/child-flows.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

interface Drawn {
  readonly id: string
  readonly type: string
  readonly fields?: object
  readonly parent?: string
  readonly on_error?: string
}

/** A chain that every node carries on by its first ports, so that a later one reads earlier ones by name alone. */
function chain(name: string, nodes: readonly Drawn[], edges: readonly (readonly [string, string])[]) {
  return { name, nodes, edges: edges.map(([from, to]) => ({ from, to })) }
}

/** Webhook → Parser → Transform that forgets everything → what reads it → Return. */
function forgetting(reader: Drawn, [input, output]: readonly [string, string]) {
  return chain(
    'Forgets',
    [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'line', type: 'parser', fields: { template: 'Order {id}' } },
      { id: 'forget', type: 'transform', fields: { expression: '{ "kept": 1 }' } },
      reader,
      { id: 'answer', type: 'return' }
    ],
    [
      ['webhook-1.data', 'line.data'],
      ['line.parsed_text', 'forget.data'],
      ['forget.data', `${reader.id}.${input}`],
      [`${reader.id}.${output}`, 'answer.data']
    ]
  )
}

const parser = (template: string): Drawn => ({ id: 'reader', type: 'parser', fields: { template } })
const FROM_PARSER = ['data', 'parsed_text'] as const

async function outputOf(
  service: ApiClient,
  document: Record<string, unknown>,
  input: unknown
): Promise<unknown> {
  const { slug } = await service.createFlow(document)
  const { output, status, error } = await run(service, slug, input)
  assert.equal(status, 'succeeded', JSON.stringify(error))
  return output
}

describe('a template', () => {
  it('reads outputs of earlier nodes, the whole input, the run, the flow and the time', async (t) => {
    const service = await shared(t)
    const template =
      '{kept} {$nodes.line.parsed_text} {$nodes.webhook-1.data.id:03d} {$data} {$flow.slug} {$run.session} {$run.created_at:yyyy} {$now:yyyy-MM-dd} {$now}'
    const { slug } = await service.createFlow(forgetting(parser(`${template} {$run.id}`), FROM_PARSER))
    const { output, id, created_at } = await run(service, slug, { id: 7 })
    const day = String(output).split(' ')[9]!
    assert.equal(
      output,
      `1 Order 7 007 {"kept":1} ${slug} default ${created_at.slice(0, 4)} ${day.slice(0, 10)} ${day} ${id}`
    )
    assert.match(day, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('takes a text as the whole input', async (t) => {
    const service = await shared(t)
    const flow = chain(
      'Whole',
      [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'text', type: 'parser', fields: { template: 'Hi {name}' } },
        {
          id: 'whole',
          type: 'keep',
          fields: { operation: 'Set', key: '{$run.id}', value: '<{$data}> <{$nodes.text.parsed_text}>' }
        },
        { id: 'prompt', type: 'prompt', fields: { template: '{it} {$data.it} {$nodes.text.parsed_text}' } },
        { id: 'seven', type: 'transform', fields: { expression: '7' } },
        { id: 'bare', type: 'parser', fields: { template: '<{$data}>' } },
        { id: 'list', type: 'transform', fields: { expression: '[7, "a"]' } },
        { id: 'of-list', type: 'parser', fields: { template: '<{$data}>' } },
        { id: 'both', type: 'merge', fields: { mode: 'List', inputs: 3 } },
        { id: 'answer', type: 'return' }
      ],
      [
        ['webhook-1.data', 'list.data'],
        ['list.data', 'of-list.data'],
        ['of-list.parsed_text', 'both.in_3'],
        ['webhook-1.data', 'text.data'],
        ['text.parsed_text', 'whole.data'],
        ['whole.data', 'prompt.it'],
        ['prompt.prompt', 'both.in_1'],
        ['webhook-1.data', 'seven.data'],
        ['seven.data', 'bare.data'],
        ['bare.parsed_text', 'both.in_2'],
        ['both.data', 'answer.data']
      ]
    )
    assert.deepEqual(await outputOf(service, flow, { name: 'Bo' }), [
      '<Hi Bo> <Hi Bo> <Hi Bo> <Hi Bo> Hi Bo',
      '<7>',
      '<[7,"a"]>'
    ])
  })

  it('misses what a node did not put out, and allows that on purpose', async (t) => {
    const service = await shared(t)
    const branches = (template: string) =>
      chain(
        'Branches',
        [
          { id: 'webhook-1', type: 'webhook' },
          { id: 'way', type: 'if-else', fields: { left: '{id}', operator: 'equals', right: '7' } },
          { id: 'seven', type: 'parser', fields: { template: 'seven' } },
          { id: 'both', type: 'merge', fields: { mode: 'List' } },
          { id: 'reader', type: 'stop', on_error: 'output', fields: { message: template } },
          { id: 'answer', type: 'return' }
        ],
        [
          ['webhook-1.data', 'way.data'],
          ['way.true', 'seven.data'],
          ['seven.parsed_text', 'both.in_1'],
          ['way.false', 'both.in_2'],
          ['both.data', 'reader.data'],
          ['reader.error', 'answer.data']
        ]
      )
    const allowed = (await outputOf(service, branches('{$nodes.seven.parsed_text?none}'), { id: 8 })) as {
      message: string
    }
    assert.equal(allowed.message, 'none')
    const missing = (await outputOf(service, branches('{$nodes.seven.parsed_text}'), { id: 8 })) as {
      code: string
    }
    assert.equal(missing.code, 'template_missing_key')
  })
})

describe('a field of JSON that holds one template', () => {
  it('reads them as any other', async (t) => {
    const service = await shared(t)
    const answered = async (body: string) => {
      const nodes = [
        { id: 'webhook-1', type: 'webhook', fields: { respond: 'When the flow answers' } },
        { id: 'reader', type: 'respond', fields: { body } }
      ]
      const { slug } = await service.createFlow(chain('Says', nodes, [['webhook-1.data', 'reader.data']]))
      const { status, text } = await service.webhook(slug, { id: 7 })
      assert.equal(status, 200, text)
      return text
    }
    assert.equal(await answered('{$data}'), '{"id":7}')
    assert.equal(await answered('{$nodes.webhook-1.data} {$data.id}'), '{"id":7} 7')
    assert.match(await answered('{$now}'), /^\d{4}-\d\d-\d\dT/)
  })
})

describe('conditions and code', () => {
  it('see nodes, run and now', async (t) => {
    const service = await shared(t)
    const expression =
      'nodes["line"].parsed_text == "Order 7" && run.session == "default" && now > timestamp("2020-01-01T00:00:00Z")'
    const ifElse: Drawn = { id: 'reader', type: 'if-else', fields: { mode: 'Expression', expression } }
    assert.deepEqual(await outputOf(service, forgetting(ifElse, ['data', 'true']), { id: 7 }), { kept: 1 })
    const filter: Drawn = {
      id: 'reader',
      type: 'filter',
      fields: { path: 'rows', expression: 'item.n == nodes["webhook-1"].data.id' }
    }
    const filters = forgetting(filter, ['data', 'data'])
    const rows = {
      id: 'forget',
      type: 'transform',
      fields: { expression: '{ "rows": [{"n": 7}, {"n": 8}] }' }
    }
    const nodes = filters.nodes.map((node) => (node.id === 'forget' ? rows : node))
    assert.deepEqual(await outputOf(service, { ...filters, nodes }, { id: 7 }), [{ n: 7 }])
    const transform: Drawn = {
      id: 'reader',
      type: 'transform',
      fields: { expression: '[$nodes.line.parsed_text, $nodes."webhook-1".data.id, $run.session, kept]' }
    }
    assert.deepEqual(await outputOf(service, forgetting(transform, ['data', 'data']), { id: 7 }), [
      'Order 7',
      7,
      'default',
      1
    ])
    const code: Drawn = {
      id: 'reader',
      type: 'code',
      fields: {
        code: 'const read = (id) => nodes[id]\nreturn [nodes["line"].parsed_text, read("webhook-1").data.id, run.session]'
      }
    }
    assert.deepEqual(await outputOf(service, forgetting(code, ['data', 'result']), { id: 7 }), [
      'Order 7',
      7,
      'default'
    ])
    const own: Drawn = {
      id: 'reader',
      type: 'code',
      fields: { code: 'const nodes = [1]\nreturn nodes.length' }
    }
    assert.equal(await outputOf(service, forgetting(own, ['data', 'result']), { id: 7 }), 1)
  })
})

describe('inside For each', () => {
  it('nodes outside are read, and those of the same item', async (t) => {
    const service = await shared(t)
    for (const isPure of [true, false]) {
      const fields = { operation: 'Set', key: '{$run.id}', value: '{$nodes.head.parsed_text}' }
      const call: Drawn = { id: 'call', type: 'keep', parent: 'each', fields }
      const first = isPure ? [] : [call]
      const flow = chain(
        'Items',
        [
          { id: 'webhook-1', type: 'webhook' },
          { id: 'head', type: 'parser', fields: { template: 'Dear {who}' } },
          { id: 'items', type: 'code', fields: { code: 'return nodes["webhook-1"].data.items' } },
          { id: 'each', type: 'for-each' },
          { id: 'name', type: 'parser', parent: 'each', fields: { template: '{name}!' } },
          { id: 'gone', type: 'transform', parent: 'each', fields: { expression: '{}' } },
          {
            id: 'line',
            type: 'parser',
            parent: 'each',
            fields: { template: '{$nodes.head.parsed_text} {$nodes.name.parsed_text} {$nodes.each.index}' }
          },
          ...first,
          { id: 'answer', type: 'return' }
        ],
        [
          ['webhook-1.data', 'head.data'],
          ['head.parsed_text', 'items.data'],
          ['items.result', 'each.items'],
          ['each.item', 'name.data'],
          ...(isPure
            ? ([['name.parsed_text', 'gone.data']] as const)
            : ([
                ['name.parsed_text', 'call.data'],
                ['call.data', 'gone.data']
              ] as const)),
          ['gone.data', 'line.data'],
          ['line.parsed_text', 'each.result'],
          ['each.results', 'answer.data']
        ]
      )
      const input = { who: 'all', items: [{ name: 'Ann' }, { name: 'Bo' }] }
      assert.deepEqual(await outputOf(service, flow, input), ['Dear all Ann! 0', 'Dear all Bo! 1'])
    }
  })
})

describe('a reference to a node that does not lead there', () => {
  it('is refused when the flow is saved, and told in a draft', async (t) => {
    const service = await shared(t)
    const wrong: [template: string, message: RegExp][] = [
      ['{$nodes.answer.data}', /does not lead to this one/],
      ['{$nodes.lines.parsed_text}', /is not there.*Did you mean "line"/],
      ['{$nodes.reader.parsed_text}', /the node itself/],
      ['{$nodes}', /names no node/]
    ]
    for (const [template, message] of wrong) {
      const document = forgetting(parser(template), FROM_PARSER)
      const answer = await service.post('/api/v1/flows', document)
      const { errors = [] } = problemOf(answer, 422, 'flow_invalid')
      assert.deepEqual(
        errors.map(({ code, path }) => [code, path]),
        [['reference_not_upstream', '/nodes/3/fields/template']]
      )
      assert.match(errors[0]!.message, message)
    }
    const absent: [template: string, message: RegExp][] = [
      ['{$run.typo}', /is in no run\. There is \$run\.id, \$run\.session, \$run\.created_at\./],
      ['{$run.sesion} {$flow.name}', /Did you mean "session"\? Write \{…\?\} if/],
      ['{$flow.name}', /There is \$flow\.slug\./],
      ['{$nodes.line.parsed}', /"line" \(Parser\) does not have\. Its outputs are parsed_text\./],
      ['{$nodes.line.error.code}', /where its "on_error" is "output"/]
    ]
    for (const [template, message] of absent) {
      const answer = await service.post('/api/v1/flows', forgetting(parser(template), FROM_PARSER))
      const { errors = [] } = problemOf(answer, 422, 'flow_invalid')
      assert.deepEqual(
        errors.map(({ code, path }) => [code, path]),
        [['reference_to_nothing', '/nodes/3/fields/template']]
      )
      assert.match(errors[0]!.message, message)
    }
    const allowed =
      '{$run.typo?} {$flow.name?none} {$nodes.line.parsed?} {$run.id}{$run.session}{$run.created_at}{$flow.slug}'
    await service.createFlow(forgetting(parser(allowed), FROM_PARSER))
    const flow = await service.createFlow(forgetting(parser('{kept}'), FROM_PARSER))
    const nodes = flow.nodes.map((node) =>
      node.id === 'reader' ? { ...node, fields: { template: '{$nodes.answer.data}' } } : node
    )
    const draft = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body: { ...flow, nodes } })
    assert.deepEqual(
      draft.json<{ errors: { code: string }[] }>().errors.map(({ code }) => code),
      ['reference_not_upstream']
    )
  })

  it('names no variable of a context either', async (t) => {
    const service = await shared(t)
    for (const name of ['nodes', 'data', 'run', 'flow', 'now', 'resume', 'approve']) {
      const body = { parent: '/', name: `c-${name}`, variables: { [name]: 'x' } }
      problemOf(await service.post('/api/v1/contexts', body), 422, 'invalid_request')
    }
  })
})

describe('one node, tests and pins', () => {
  it('know what earlier nodes gave', async (t) => {
    const service = await shared(t)
    const flow: FlowBody = await service.createFlow(
      forgetting(parser('{$nodes.line.parsed_text}!'), FROM_PARSER)
    )
    await run(service, flow.slug, { id: 7 })
    const tried = await service.post(`/api/v1/flows/${flow.id}/nodes/reader/run`, { inputs: { data: {} } })
    assert.deepEqual(tried.json<{ outputs: unknown }>().outputs, { parsed_text: 'Order 7!' }, tried.text)
    const later = await service.post(`/api/v1/flows/${flow.id}/nodes/line/run`, {
      fields: { template: '{$nodes.answer.data}' }
    })
    const { errors = [] } = problemOf(later, 422, 'flow_invalid')
    assert.match(errors[0]!.message, /does not lead to this one/)
    const pinned = await service.request('PUT', `/api/v1/flows/${flow.id}/pins/line`, {
      body: { outputs: { parsed_text: 'Pinned' } }
    })
    assert.ok(pinned.status < 300, pinned.text)
    const again = await service.post(`/api/v1/flows/${flow.id}/nodes/reader/run`, { inputs: { data: {} } })
    assert.deepEqual(again.json<{ outputs: unknown }>().outputs, { parsed_text: 'Pinned!' })
    const tested = await service.post(`/api/v1/flows/${flow.id}/test`, { input: { id: 9 } })
    assert.equal(tested.json<{ output: unknown }>().output, 'Pinned!', tested.text)
  })
})
