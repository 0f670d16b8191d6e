import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ComponentFacts } from '../../api/components.ts'
import { apiList, apiPage } from './api-reference.ts'
import { componentList, componentPage } from './component-reference.ts'
import { errorReference } from './error-reference.ts'
import { type ApiDescription, operationsOf, toldOnce } from './openapi-document.ts'
import { missingFields, triedOperation, triedPath } from './tried-request.ts'

const linkTo = (place: string) => `help/${place}`

const HOSTILE = '<img src=x onerror=alert(1)>\u202e'

const COMPONENT: ComponentFacts = {
  type: 'stamp',
  title: 'Stamp',
  description: HOSTILE,
  category: 'Shop',
  icon: null,
  keywords: [],
  example: null,
  context: '/sales',
  owner: 'shop-plugin',
  effects: 'external',
  trigger: null,
  fields: { count: { kind: 'number', title: 'Count', min: 1, default: 3, help: 'Say `2` or more.' } },
  main_fields: [],
  inputs: { data: { title: 'Data', type: 'data' } },
  inputs_from_template: null,
  inputs_from_count: null,
  outputs_from_list: null,
  has_dynamic_inputs: false,
  outputs: { text: { title: HOSTILE, type: 'text' } },
  region: null
}

const API: ApiDescription = {
  info: { title: 'Millrace', version: '1', description: 'All.' },
  tags: [{ name: 'Flows', description: 'Of flows' }],
  paths: {
    '/api/v1/flows/{id}': {
      put: {
        operationId: 'saveFlow',
        summary: 'Save a flow',
        tags: ['Flows'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'draft', in: 'query', schema: { type: 'string', enum: ['discard'] } }
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Sent' } } } },
        responses: {
          200: { description: 'Done' },
          404: { $ref: '#/components/responses/flow_not_found.forbidden' }
        }
      }
    }
  },
  components: {
    schemas: {
      Sent: {
        type: 'object',
        required: ['name', 'nodes'],
        properties: {
          name: { type: 'string', description: 'What it is called' },
          nodes: { type: 'array', items: { $ref: '#/components/schemas/Sent' } }
        }
      }
    }
  }
}

describe('the reference of components', () => {
  it('shows what a plugin says as text', () => {
    const { html } = componentPage(COMPONENT, linkTo)
    assert.doesNotMatch(html, /<img|\u202e/)
    assert.match(html, /&lt;img src=x/)
    assert.match(html, /from the plugin shop-plugin, in \/sales/)
    assert.match(html, /Say <code>2<\/code> or more.*number, at least 1.*<code>3<\/code>/)
    assert.match(html, /&quot;count&quot;: 3/)
    assert.doesNotMatch(componentList([COMPONENT], linkTo).html, /<img/)
  })
})

describe('the reference of the API', () => {
  it('names what an operation takes, of itself as well, and leads to what it refuses with', () => {
    const { html } = apiPage(API, 'saveFlow', linkTo)!
    assert.match(html, /<code>nodes\[\]\.name<\/code> \*/)
    assert.match(html, /href="help\/errors#flow_not_found"/)
    assert.match(html, /href="help\/errors#forbidden"/)
    assert.match(html, /curl -X PUT &quot;http:\/\/127\.0\.0\.1:7860\/api\/v1\/flows\/\$ID&quot;/)
    assert.match(html, /-d &#39;{&quot;name&quot;:&quot;&quot;,&quot;nodes&quot;:\[\]}&#39;/)
    assert.match(
      apiPage(API, 'saveFlow', linkTo, 'https://a.example')!.html,
      /&quot;https:\/\/a\.example\/api/
    )
    assert.match(apiList(API, linkTo).html, /href="help\/api\/saveFlow"/)
    assert.equal(apiPage(API, 'noSuchThing', linkTo), undefined)
  })

  it('tells once of what several requests do', () => {
    const [saved] = Object.values(API.paths)
    const start = (operationId: string) => ({ ...saved!.put!, operationId, summary: 'Start a flow' })
    const paths = {
      ...API.paths,
      '/api/v1/webhook/{flow}': { get: start('startFlowWithGet'), post: start('startFlow') }
    }
    const told = toldOnce(operationsOf({ ...API, paths }))
    assert.deepEqual(
      told.map((same) => same.map(({ operation }) => operation.operationId)),
      [['saveFlow'], ['startFlow', 'startFlowWithGet']]
    )
    const { html } = apiList({ ...API, paths }, linkTo)
    assert.equal(html.split('Start a flow').length, 2)
    assert.match(html, /href="help\/api\/startFlowWithGet">GET</)
  })

  it('is tried with what was filled in, escaped for its place', () => {
    const tried = triedOperation(API, 'saveFlow')!
    assert.deepEqual(JSON.parse(tried.body), { name: '', nodes: [] })
    assert.deepEqual(missingFields(tried, { draft: 'discard' }), ['id'])
    assert.equal(triedPath(tried, { id: 'a/b?', draft: 'x&y' }), 'api/v1/flows/a%2Fb%3F?draft=x%26y')
  })
})

describe('the reference of errors', () => {
  it('has one place for each code', () => {
    const ids = [...errorReference(linkTo).html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      []
    )
    for (const code of ['flow_not_found', 'egress_refused', 'not_wired']) assert.ok(ids.includes(code), code)
    const titles = errorReference(linkTo).headings.map(({ text }) => text)
    for (const title of ['Steps: any step', 'Steps: SQL'])
      assert.ok(titles.includes(title), titles.join(', '))
  })
})
