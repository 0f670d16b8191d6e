import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { code } from '../../components/code/code.ts'
import { apiRequest } from '../../components/http/api-request.ts'
import { sql } from '../../components/sql/sql.ts'
import { type AnyComponent, resolveFields } from '../component/component.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { type ToolMode, type ToolSettings, toolMode, withArguments } from './tool-mode.ts'

function modeOf(
  component: AnyComponent,
  fields: Record<string, JsonValue>,
  tool: ToolSettings = {},
  wired: readonly string[] = []
): ToolMode {
  const node = { id: 'order-1', title: 'Find an order', tool }
  return toolMode(node, component, resolveFields(component, fields), (input) => wired.includes(input))
}

const find = { url: '/orders/{order_id}', query: { state: '{state?}', deep: ['{order_id}'] } }

describe('a node as a tool', () => {
  it('is named by its title, described by its component, and asks for the variables of its templates', () => {
    const { offered } = modeOf(apiRequest, find)
    assert.equal(offered.name, 'Find_an_order')
    assert.match(offered.description, /^API Request: Calls an HTTP API/)
    assert.deepEqual(offered.parameters, {
      type: 'object',
      properties: { order_id: { type: 'string' }, state: { type: 'string' } },
      required: ['order_id'],
      additionalProperties: false
    })
  })

  it('asks for the fields that are left to the agent, typed by their kind', () => {
    const { offered } = modeOf(apiRequest, { url: '/orders' }, { fields: ['method'] })
    const { data, method } = offered.parameters.properties as Record<string, { enum?: readonly string[] }>
    assert.ok(data !== undefined && method!.enum!.includes('DELETE'))
    assert.deepEqual(offered.parameters.required, ['method'])
  })

  it('takes what the author says of the arguments, with those of its fields', () => {
    const given = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
    const { offered } = modeOf(sql, { query: 'select 1' }, { arguments: given, fields: ['query'], name: 'q' })
    const { properties, required } = offered.parameters
    assert.deepEqual(Object.keys(properties as object), ['id', 'query'])
    assert.deepEqual(required, ['id', 'query'])
  })

  it('asks a person first where it changes something outside, unless the author says otherwise', () => {
    const rows: [
      component: AnyComponent,
      fields: Record<string, JsonValue>,
      tool: ToolSettings,
      is: boolean
    ][] = [
      [apiRequest, find, {}, false],
      [apiRequest, { ...find, method: 'POST' }, {}, true],
      [apiRequest, find, { fields: ['method'] }, true],
      [apiRequest, { ...find, method: 'POST' }, { ask_first: false }, false],
      [sql, { query: 'select * from a' }, {}, false],
      [sql, { query: 'select * into b from a' }, {}, true],
      [sql, { query: 'with a as (delete from b returning *) select * from a' }, {}, true],
      [sql, { query: 'select 1' }, { fields: ['query'] }, true],
      [code, {}, {}, false],
      [code, {}, { ask_first: true }, true]
    ]
    for (const [component, fields, tool, is] of rows)
      assert.equal(modeOf(component, fields, tool).offered.ask_first === true, is, JSON.stringify(fields))
  })

  it('puts each argument where it belongs: a field, an input, or a member of the data', () => {
    const mode = modeOf(apiRequest, find, { fields: ['method'] }, ['data'])
    const given = { fields: { url: 'u', method: 'GET' }, inputs: { data: { customer: 7, order_id: 'x' } } }
    assert.deepEqual(withArguments(mode, apiRequest, given, { method: 'POST', order_id: '8' }), {
      fields: { url: 'u', method: 'POST' },
      inputs: { data: { customer: 7, order_id: '8' } }
    })
    const whole = withArguments(modeOf(code, {}), code, { fields: {}, inputs: {} }, { data: [1] })
    assert.deepEqual(whole.inputs, { data: [1] })
  })

  it('never reads as a template what a model has written', () => {
    const mode = modeOf(apiRequest, {}, { fields: ['url', 'body'] })
    const { fields } = withArguments(
      mode,
      apiRequest,
      { fields: {}, inputs: {} },
      {
        url: '/{$key}',
        body: { a: ['{b}', 1] }
      }
    )
    assert.deepEqual(fields, { url: '/{{$key}}', body: { a: ['{{b}}', 1] } })
  })
})
