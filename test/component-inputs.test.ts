import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { startWith } from './support/contexts.ts'
import { startService, temporaryFolder } from './support/service.ts'

const GATHER = `export default async function gather (context) {
  context.component({
    type: 'gather', title: 'Gather', effects: 'pure',
    fields: { parts: { kind: 'number', title: 'Parts', default: 2, min: 0, max: 9, integer: true } },
    inputs: { head: { title: 'Head', type: 'text' } },
    inputsFor: ({ parts }) => Object.fromEntries(
      Array.from({ length: parts }, (_, n) => ['part_' + n, { title: 'Part ' + n, type: 'data' }])),
    outputs: { list: { title: 'List', type: 'data' } },
    run: ({ inputs }) => ({ list: Object.values(inputs) })
  })
}`

async function serviceWithGather(t: TestContext) {
  const file = join(await temporaryFolder(t), 'gather.js')
  await writeFile(file, GATHER)
  return startService(t, { env: { MILLRACE_PLUGINS: file } })
}

describe('inputs that follow from the fields', () => {
  it('come compressed to whoever takes that: the page waits for the catalogue', async (t) => {
    const service = await startService(t)
    const get = (encoding: string) =>
      fetch(`${service.address}/api/v1/components`, {
        headers: { 'x-api-key': service.key, 'accept-encoding': encoding }
      })
    const [small, plain] = await Promise.all([get('gzip, br'), get('identity')])
    assert.equal(small.headers.get('content-encoding'), 'gzip')
    assert.equal(plain.headers.get('content-encoding'), null)
    const text = await plain.text()
    assert.equal(await small.text(), text)
    assert.ok(Number(small.headers.get('content-length')) < text.length / 2)
  })

  it('are told by the catalogue: by a template, or to be asked for', async (t) => {
    const service = await serviceWithGather(t)
    const { components } = (await service.get('/api/v1/components?context=/gather')).json<{
      components: { type: string; inputs_from_template: string | null; has_dynamic_inputs: boolean }[]
    }>()
    const told = components.map((told) => [told.type, told.inputs_from_template, told.has_dynamic_inputs])
    for (const row of [
      ['prompt', 'template', true],
      ['parser', null, false],
      ['gather', null, true]
    ]) {
      assert.deepEqual(
        told.find(([type]) => type === row[0]),
        row
      )
    }
  })

  it('are answered for fields as a save would see them', async (t) => {
    const service = await serviceWithGather(t)
    const ask = (type: string, fields: unknown, context = '/gather') =>
      service.post(`/api/v1/components/${type}/inputs?context=${context}`, { fields })
    const inputsOf = async (type: string, fields: unknown) => {
      const answer = await ask(type, fields)
      assert.equal(answer.status, 200, answer.text)
      return Object.keys(answer.json<{ inputs: object }>().inputs)
    }
    assert.deepEqual(await inputsOf('gather', {}), ['head', 'part_0', 'part_1'])
    assert.deepEqual(await inputsOf('gather', { parts: 1 }), ['head', 'part_0'])
    assert.deepEqual(await inputsOf('prompt', { template: '{a} and {b}' }), ['a', 'b'])
    assert.deepEqual(await inputsOf('webhook', {}), [])

    const placeholders = Array.from({ length: 10_001 }, (_, at) => `{k${at}}`)
    const most = await inputsOf('prompt', { template: placeholders.slice(1).join('') })
    assert.equal(most.length, 10_000)
    const tooMany = await ask('prompt', { template: `${placeholders.join('')}${'{n}'.repeat(130_000)}` })
    assert.match(
      problemOf(tooMany, 422, 'invalid_request').detail,
      /more than the 10,000 that a template may/
    )

    const refused = problemOf(await ask('gather', { parts: 'many' }), 422, 'invalid_request')
    assert.match(refused.detail, /takes a number/)
    problemOf(await ask('gather', {}, '/'), 404, 'component_not_found')
    problemOf(await ask('gather', {}, '/nowhere'), 404, 'context_not_found')
  })
})

describe('a component of a plugin that fails to judge its fields', () => {
  const PLUGIN = `export default async function broken (context) {
    const fields = { path: { kind: 'text', title: 'Path', default: 'a' } }
    const run = () => ({})
    context.component({ type: 'checks', title: 'Checks', fields, run,
      check: ({ path }) => { if (path !== 'a') throw new Error('cannot read ' + path) } })
    context.component({ type: 'grows', title: 'Grows', fields, run,
      inputsFor: ({ path }) => { if (path !== 'a') throw new TypeError('no ports for ' + path); return {} } })
  }`

  it('is named with what it threw, when a flow is saved and when its inputs are asked for', async (t) => {
    const service = await startWith(t, { 'broken.js': PLUGIN })
    for (const [type, thrown] of [
      ['checks', /"checks".*"n".*cannot read b/],
      ['grows', /"grows".*"n".*no ports for b/]
    ] as const) {
      const flow = (path: string) => ({
        name: type,
        context: '/broken',
        nodes: [{ id: 'n', type, fields: { path } }],
        edges: []
      })
      const { detail, errors } = problemOf(
        await service.post('/api/v1/flows', flow('b')),
        422,
        'flow_invalid'
      )
      assert.match(detail, thrown)
      assert.deepEqual(
        errors!.map(({ code, path }) => [code, path]),
        [['component_failed', '/nodes/0/fields']]
      )
      assert.equal((await service.post('/api/v1/flows', flow('a'))).status, 201)
      const asked = await service.post(`/api/v1/components/${type}/inputs?context=/broken`, {
        fields: { path: 'b' }
      })
      assert.match(problemOf(asked, 422, 'component_failed').detail, new RegExp(`"${type}"`))
    }
  })
})
