import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { component, contextsOf, startFailure, startWith } from './support/contexts.ts'

describe('a registration is refused', () => {
  const REFUSED: [title: string, call: string, says: RegExp][] = [
    ...['id', 'flowId', 'input', 'request', 'session', 'variables', 'say', '__proto__'].map(
      (name): [string, string, RegExp] => [
        `that would take the place of run.${name}`,
        `decorateRun('${name}', 1)`,
        new RegExp(`"${name}" cannot decorate the run`)
      ]
    ),
    [
      'for a run hook that there is not',
      `addRunHook('onStop', () => {})`,
      /no run hook "onStop"\. Use one of onRunSt/
    ],
    ['for a run hook that is not a function', `addRunHook('onStep', 5)`, /must be a function/],
    [
      'for a context with a slash',
      `register(async () => {}, { context: 'a/b' })`,
      /cannot have the context "a\/b"/
    ],
    [
      'for a variable that contains itself',
      `variable('region', (() => { const a = {}; a.a = a; return a })())`,
      /The variable "region": the value cannot be written as JSON: it contains itself\. .*\(at \S+sales\.ts:1\)$/
    ],
    [
      'for a variable that is not a number',
      `variable('rate', 0 / 0)`,
      /The variable "rate" is NaN\. Give it text/
    ],
    [
      'for a field whose default is not JSON',
      `component({ type: 'a', title: 'A', fields: { n: { kind: 'json', title: 'N', default: 5n } }, run: () => ({}) })`,
      /Component "a": "n" cannot be written as JSON/
    ],
    [
      'after the service is ready',
      `addHook('onReady', async () => context.${component('late')})`,
      /too late to register the component "late"/
    ]
  ]
  for (const [title, call, says] of REFUSED) {
    it(title, async (t) => {
      const source = `export default async function sales (context) { context.${call} }`
      const said = await startFailure(t, { 'sales.ts': source })
      assert.match(said, /^Plugin "sales" failed to load in context "\/sales": /)
      assert.match(said, says)
    })
  }

  it('after the service is ready, at run time, of each kind, and the step that tried it fails', async (t) => {
    const source = `export default async function sales (context) {
      context.component({
        type: 'late', title: 'Late', effects: 'pure',
        fields: { call: { kind: 'text', title: 'Call' } },
        inputs: { data: { title: 'Data', type: 'data' } },
        run: ({ inputs }) => {
          const complete = (arg) => arg === null ? async () => {} : arg.type ? { ...arg, run () {} } : arg
          context[inputs.data.call](...inputs.data.args.map(complete))
        }
      })
    }`
    const service = await startWith(t, { 'sales.ts': source })
    const { slug } = await service.createFlow({
      name: 'Late',
      context: '/sales',
      nodes: [
        { id: 'w', type: 'webhook' },
        { id: 'l', type: 'late' }
      ],
      edges: [{ from: 'w.data', to: 'l.data' }]
    })
    const before = await contextsOf(service)
    const calls: [call: string, ...args: unknown[]][] = [
      ['component', { type: 'x', title: 'X' }],
      ['decorateRun', 'x', 1],
      ['variable', 'x', 1],
      ['decorate', 'x', 1],
      ['decorateRequest', 'x', 1],
      ['addHook', 'onRequest', null],
      ['register', null]
    ]
    for (const [call, ...args] of calls) {
      const run = await service.run(slug, JSON.stringify({ call, args }))
      assert.equal(run.status, 'failed', call)
      assert.equal(run.error!.node, 'l')
      assert.match(run.error!.message, /too late|already (?:listening|booted)|added after start/i, call)
    }
    assert.deepEqual(await contextsOf(service), before)
    assert.equal((await service.webhook(slug)).status, 202, 'the service goes on')
  })
})
