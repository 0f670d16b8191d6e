import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askingThisService, serviceAt } from './this-service.ts'

describe('a document that a service shows', () => {
  const shown = (html: string) => askingThisService(html, serviceAt('https://flows.example.com/a&b/'))

  it('has its requests sent to that service', () => {
    assert.equal(
      shown('curl -X POST http://127.0.0.1:7860/api/v1/webhook/orders http://127.0.0.1:7860/v1'),
      'curl -X POST https://flows.example.com/a&amp;b/api/v1/webhook/orders https://flows.example.com/a&amp;b/v1'
    )
  })

  it('tells of settings as they are', () => {
    for (const setting of ['proxy_pass http://127.0.0.1:7860;', '<code>http://127.0.0.1:7860</code>'])
      assert.equal(shown(setting), setting)
  })
})
