import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { threadMs } from '../../test/support/thread-ms.ts'
import { single } from './become.ts'
import { openBecome, openSettings, withoutSecrets } from './left-out-secrets.ts'

const SECRET = 'tok-8f3a91c2d4e5'

describe('secrets in files of other tools', () => {
  it('are left out of settings, by their names, in rows, and in texts', () => {
    const { settings, leftOut } = openSettings({
      apiKey: SECRET,
      maxTokens: '100',
      nextPageToken: 'a',
      authentication: 'headerAuth',
      password: '={{ $json.password }}',
      nested: { Password: SECRET, ok: 1 },
      rows: [
        { name: 'Authorization', value: SECRET },
        { name: 'Accept', value: 'text/html' }
      ],
      url: `https://me:${SECRET}@a.example/b?page=1&api_key=${SECRET}#c`,
      json: `{"a": 1, "token": "${SECRET}"}`,
      text: `Send Bearer ${SECRET} and sk-proj-1234567890abcdefghij, please`
    })
    assert.ok(!JSON.stringify(settings).includes(SECRET), JSON.stringify(settings))
    assert.deepEqual(settings, {
      apiKey: '…',
      maxTokens: '100',
      nextPageToken: 'a',
      authentication: 'headerAuth',
      password: '={{ $json.password }}',
      nested: { Password: '…', ok: 1 },
      rows: [
        { name: 'Authorization', value: '…' },
        { name: 'Accept', value: 'text/html' }
      ],
      url: 'https://…@a.example/b?page=1&api_key=…#c',
      json: '{"a": 1, "token": "…"}',
      text: 'Send Bearer … and …, please'
    })
    assert.deepEqual(leftOut, ['apiKey', 'nested.Password', 'rows[0].value', 'url', 'json', 'text'])
  })

  it('leave prose, code and names as they are', () => {
    for (const text of [
      'Basic information about the token of a bearer',
      "headers.Authorization = 'Bearer ' + token",
      'SELECT pk_orders_customer_id FROM orders WHERE secret_name = :name',
      'https://a.example/users?token={token}&page=2',
      '{"token": "{{ $json.token }}", "password": ""}'
    ])
      assert.equal(withoutSecrets(text), text)
  })

  it('are looked for in bounded time', () => {
    for (const unit of [
      'sk-',
      'eyJ-',
      '"a":"\\',
      '?a',
      '://a:',
      'Bearer ',
      '-----BEGIN ',
      'SG.a',
      '"a" ',
      'xoxb-'
    ]) {
      const text = unit.repeat(100_000 / unit.length)
      const begun = threadMs()
      assert.equal(withoutSecrets(text).length > 0, true)
      assert.ok(threadMs() - begun < 500, unit)
    }
  })

  it('go from a request into a connection that is named after the host', () => {
    const { parts, note, verdict, connections } = openBecome(
      single(
        {
          type: 'api-request',
          fields: {
            url: `https://api.example/a?key=${SECRET}&page={page}`,
            headers: { Authorization: `Bearer ${SECRET}`, 'X-Token': '{token?}', Accept: '*/*' },
            query: { token: SECRET },
            body: { password: SECRET }
          }
        },
        { takes: 'data', gives: 'body' }
      )
    )
    assert.deepEqual(parts.main!.fields, {
      connection: 'api.example',
      url: 'https://api.example/a?page={page}',
      headers: { 'X-Token': '{token?}', Accept: '*/*' },
      query: {},
      body: { password: SECRET }
    })
    assert.deepEqual([verdict, connections], ['adapted', [{ name: 'api.example', kind: 'http' }]])
    assert.equal(
      note,
      'A flow is no place for a secret. Left out, and to be put into the connection "api.example": the header "Authorization", the parameter "token", the parameter "key". What looks like a secret stands in its settings, for all who may read the flow: body.password.'
    )
  })

  it('go into the connection that the request has', () => {
    const { parts, connections } = openBecome(
      single(
        { type: 'api-request', fields: { url: '/a', connection: 'crm', headers: { 'X-Api-Key': SECRET } } },
        {}
      )
    )
    assert.deepEqual(parts.main!.fields, { url: '/a', connection: 'crm', headers: {} })
    assert.deepEqual(connections, [])
  })
})
