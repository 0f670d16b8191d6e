import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { withoutUnread } from './unread-parts.ts'

const left = (json: string) => withoutUnread(Buffer.from(json)).toString()
const ref = (path: string) => ({ $ref: `#/${path}` })

const DOCUMENT = {
  openapi: '3.1.0',
  webhooks: { a: 1 },
  paths: {
    '/a': {
      responses: 'no method',
      get: { responses: { 200: ref('components/responses/a') }, 'x-"}': '{"responses":', callbacks: [] },
      post: { requestBody: { responses: 1, callbacks: ref('components/schemas/a') }, responses: {} }
    }
  },
  components: {
    schemas: { a: { properties: { responses: {}, examples: {} } } },
    responses: { a: { description: 'x\\"}' } },
    examples: {}
  }
}

const READ = {
  ...DOCUMENT,
  webhooks: 0,
  paths: {
    '/a': {
      responses: 'no method',
      get: { responses: 0, 'x-"}': '{"responses":', callbacks: 0 },
      post: { ...DOCUMENT.paths['/a'].post, responses: 0 }
    }
  },
  components: { schemas: DOCUMENT.components.schemas, responses: 0, examples: 0 }
}

describe('the JSON of a document of an API', () => {
  it('is read without answers and examples, wherever names are the same that mean something else', () => {
    for (const space of ['', ' \r\n\t'])
      assert.deepEqual(JSON.parse(left(JSON.stringify(DOCUMENT, null, space))), READ)
    assert.deepEqual(JSON.parse(left(`\ufeff${JSON.stringify(DOCUMENT)}`).slice(1)), READ)
  })

  it('is read as a whole where something leads to what would be left out', () => {
    for (const path of ['components/responses/a/content', 'paths/~1a/get/responses/200', 'webhooks/a']) {
      const json = JSON.stringify({ ...DOCUMENT, more: ref(path) })
      for (const written of [json, json.replaceAll('/', '\\/')]) assert.equal(left(written), written)
    }
  })

  it('is nothing else where it is cut off or no document at all', () => {
    const json = JSON.stringify(DOCUMENT)
    for (let end = 0; end < json.length; end++) left(json.slice(0, end))
    fc.assert(
      fc.property(fc.json(), (json) => {
        assert.equal(left(json), json)
      })
    )
  })
})
