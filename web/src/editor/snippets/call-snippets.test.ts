import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { readPayload } from '../../../../src/flows/json/read-payload.ts'
import { readHmacRule } from '../../../../src/flows/webhook-signatures.ts'
import { isSigned } from '../../../../src/http/webhook/signatures/scheme.test-kit.ts'
import {
  type CallTarget,
  FIRST_BODY,
  javaScriptCall,
  pythonCall,
  statusCurl,
  webhookAddress,
  webhookCurl
} from './call-snippets.ts'
import { lacks, node, noPython, python, shell, startRecorder } from './snippets.test-kit.ts'

const target: CallTarget = { address: 'http://127.0.0.1:7860', flow: 'orders', auth: 'API key' }
const noCurl = lacks('curl', '--version')
const noOpenssl = noCurl || lacks('openssl', 'version')

/** Everything that a quote, a shell or a program could stumble over. */
const BODIES = [
  FIRST_BODY,
  '{"name":"O\'Brien","said":"\\"hi\\" \\\\ $HOME `id` !"}',
  '{"id":12345678901234567890,"price":1.10}',
  '{"__proto__":{"a":1}}',
  '[{"deep":{"list":[1,2,{"ok":true,"none":null}]}},"😀 ü \\u2028"]',
  '@file and \'quotes\' and "quotes"\nand a second line\r\nand a tab\t%s',
  '"text"',
  ''
]

describe('the curl command', () => {
  it('is what the field of a new Webhook shows', () => {
    assert.equal(
      webhookCurl(target),
      `curl -i -X POST http://127.0.0.1:7860/api/v1/webhook/orders \\
  -H "x-api-key: $MILLRACE_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"text":"Hello"}'`
    )
  })

  it('holds the key where there is one, and none where the webhook asks for none', () => {
    assert.match(webhookCurl({ ...target, key: 'k-1' }), /-H 'x-api-key: k-1'/)
    assert.doesNotMatch(webhookCurl({ ...target, auth: 'None' }), /x-api-key/)
    assert.match(webhookCurl({ ...target, auth: 'Signature' }), /^# This webhook takes signed requests/)
  })

  it('signs where the webhook takes signed requests, as the service reads it', {
    skip: noOpenssl
  }, async (t) => {
    const { address, calls } = await startRecorder(t)
    const secret = `whsec_${Buffer.from('a secret of 24 characters').toString('base64')}`
    const body = `{"name":"it's $HOME \\u00fc \`x\`","n":1.50}`
    const rule = {
      signature_scheme: 'HMAC',
      signature_header: 'x-sign',
      signature_algorithm: 'sha512',
      signature_encoding: 'base64',
      signature_prefix: 'a"$b=',
      signed_text: '{header:x-time}|{header:x-date}|"$x`\\|{method} {url}\n{body}',
      timestamp_header: 'X-Time'
    }
    const named = ['Standard Webhooks', 'GitHub', 'Stripe', 'Slack', 'Shopify', 'Calendly']
    const schemes = [...named.map((signature_scheme) => ({ signature_scheme })), rule]
    const commands = schemes.map((fields) =>
      webhookCurl(
        {
          ...target,
          address,
          auth: 'Signature',
          scheme: fields.signature_scheme,
          hmac: readHmacRule(fields)
        },
        body
      )
    )
    assert.ok(commands.every((command) => command.startsWith('# This webhook takes signed requests')))
    await shell(commands.join('\n'), { SIGNING_SECRET: secret })
    const now = Math.floor(Date.now() / 1000)
    const url = webhookAddress({ ...target, address })
    for (const [index, fields] of schemes.entries()) {
      const { headers, body: sent } = calls[index]!
      assert.equal(sent, body)
      const signed = { headers: headers as IncomingHttpHeaders, body: Buffer.from(sent), secret, now, url }
      assert.ok(isSigned(fields, signed), fields.signature_scheme)
      const other = `${secret.slice(0, -2)}zz`
      assert.ok(!isSigned(fields, { ...signed, secret: other }), fields.signature_scheme)
    }
  })

  it('shows the secret of the sender as a token or a password, and holds none', async (t) => {
    const { address, calls } = await startRecorder(t)
    const token = { ...target, address, auth: 'Token', tokenHeader: 'X-Gitlab-Token' } as const
    const basic = { ...target, address, auth: 'Basic', basicUser: "o'neil" } as const
    const env = { SIGNING_SECRET: 'a secret' }
    for (const call of [token, basic]) {
      await shell(webhookCurl(call), env)
      await node(javaScriptCall(call), env)
      if (!noPython) await python(pythonCall(call), env)
    }
    const pair = `Basic ${Buffer.from("o'neil:a secret").toString('base64')}`
    const half = calls.length / 2
    for (const { headers } of calls.slice(0, half)) assert.equal(headers['x-gitlab-token'], 'a secret')
    for (const { headers } of calls.slice(half)) assert.equal(headers.authorization, pair)
  })

  it('is sent below the prefix of a host application', () => {
    assert.equal(
      webhookAddress({ ...target, address: 'https://x.org/flows/' }),
      'https://x.org/flows/api/v1/webhook/orders'
    )
  })

  it('sends a turn of a chat where there is no Webhook, and so do the others', () => {
    const chat = { ...target, isChat: true }
    const address = 'http://127.0.0.1:7860/api/v1/flows/orders/chat'
    for (const call of [webhookCurl(chat), javaScriptCall(chat), pythonCall(chat)]) {
      assert.ok(call.includes(address) && !call.includes('/webhook/'), call)
    }
    assert.match(webhookCurl(chat), /-d '\{"text":"Hello"\}'$/)
  })

  it('asks for a run', () => {
    assert.equal(
      statusCurl(target),
      'curl -s "http://127.0.0.1:7860/api/v1/runs/$RUN_ID" \\\n  -H "x-api-key: $MILLRACE_API_KEY"'
    )
    assert.match(statusCurl(target, '019a'), /^curl -s http:\/\/127\.0\.0\.1:7860\/api\/v1\/runs\/019a /)
  })

  it('really sends the body, whatever it is', { skip: noCurl }, async (t) => {
    const { address, calls } = await startRecorder(t)
    const commands = BODIES.map((body) => webhookCurl({ ...target, address }, body))
    const script = [...commands, statusCurl({ ...target, address })].join('\n')
    await shell(script, { MILLRACE_API_KEY: 'the key', RUN_ID: '019a' })
    assert.equal(calls.pop()?.url, '/api/v1/runs/019a')
    for (const call of calls) {
      assert.deepEqual(
        [call.method, call.url, call.headers['x-api-key']],
        ['POST', '/api/v1/webhook/orders', 'the key']
      )
    }
    assert.deepEqual(
      calls.map(({ body }) => body),
      BODIES
    )
  })
})

describe('JavaScript', () => {
  it('is written as people write it', () => {
    assert.equal(
      javaScriptCall(target, '{"order_id":7,"first name":"Ann"}'),
      `const response = await fetch('http://127.0.0.1:7860/api/v1/webhook/orders', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': process.env.MILLRACE_API_KEY },
  body: JSON.stringify({ order_id: 7, 'first name': 'Ann' })
})
console.log(response.status, await response.json())`
    )
  })

  it('really sends the payload, whatever it is', async (t) => {
    const { address, calls } = await startRecorder(t)
    const blocks = BODIES.map((body) => `{\n${javaScriptCall({ ...target, address }, body)}\n}`)
    const { stdout } = await node(blocks.join('\n'), { MILLRACE_API_KEY: 'k' })
    assert.equal(stdout.match(/^202 /gm)?.length, BODIES.length)
    assert.ok(calls.every(({ headers }) => headers['x-api-key'] === 'k'))
    assert.deepEqual(
      calls.map(({ body }) => readPayload(body)),
      BODIES.map(readPayload)
    )
  })

  it('sends the same payload for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (body) => {
        const snippet = javaScriptCall({ ...target, auth: 'None' }, body)
        let sent = ''
        const fetch = (_: string, options: { body: string }) => {
          sent = options.body
          return { status: 202, json: () => ({}) }
        }
        runInNewContext(snippet.replaceAll('await ', ''), { fetch, console: { log: () => undefined } })
        assert.deepEqual(readPayload(sent), readPayload(body.toWellFormed()))
      }),
      { numRuns: 50 }
    )
  })
})

describe('Python', () => {
  it('is written as people write it', () => {
    assert.equal(
      pythonCall(target, '{"order_id":7,"paid":true,"note":null}'),
      `import json
import os
import urllib.request

request = urllib.request.Request(
    'http://127.0.0.1:7860/api/v1/webhook/orders',
    data=json.dumps({'order_id': 7, 'paid': True, 'note': None}).encode(),
    headers={'content-type': 'application/json', 'x-api-key': os.environ['MILLRACE_API_KEY']},
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`
    )
  })

  it('really sends the payload, whatever it is', { skip: noPython }, async (t) => {
    const { address, calls } = await startRecorder(t)
    const key = `k'"\\`
    const { stdout } = await python(
      BODIES.map((body) => pythonCall({ ...target, address, key }, body)).join('\n')
    )
    assert.equal(stdout.match(/^202 /gm)?.length, BODIES.length)
    assert.ok(calls.every(({ headers }) => headers['x-api-key'] === key))
    assert.deepEqual(
      calls.map(({ body }) => readPayload(body)),
      BODIES.map(readPayload)
    )
  })

  it('sends the same payload for any JSON', { skip: noPython }, async () => {
    const bodies = fc.sample(fc.json(), 100).filter((body) => body.isWellFormed())
    const calls = bodies.map((body) =>
      pythonCall({ ...target, auth: 'None' }, body).replace(
        /\nwith .*$/s,
        '\nsent.append(request.data.decode())'
      )
    )
    const { stdout } = await python(`sent = []\n${calls.join('\n')}\nprint(json.dumps(sent))`)
    const sent = JSON.parse(stdout) as string[]
    assert.equal(sent.length, bodies.length)
    for (const [index, body] of bodies.entries())
      assert.deepEqual(readPayload(sent[index]!), readPayload(body))
  })
})

describe('a call of a webhook that takes other methods', () => {
  const body = '{"a":"x y","n":7,"list":[1]}'

  it('has its payload in the query where it is a GET', () => {
    const get = { ...target, auth: 'None', method: 'GET' } as const
    const address = `${target.address}/api/v1/webhook/${target.flow}?a=x+y&n=7`
    assert.equal(webhookCurl(get, body), `curl -i '${address}'`)
    assert.match(javaScriptCall(get, body), /method: 'GET',\n {2}headers: {2?\s*}\n\}\)/)
    assert.ok(javaScriptCall(get, body).includes(address))
    assert.ok(pythonCall(get, body).includes(address))
    assert.doesNotMatch(pythonCall(get, body), /data=/)
    assert.doesNotMatch(webhookCurl(get, '[1]'), /\?/)
  })

  it('names its method otherwise', () => {
    const put = { ...target, auth: 'None', method: 'PUT' } as const
    assert.match(webhookCurl(put, body), /^curl -i -X PUT /)
    assert.match(javaScriptCall(put, body), /method: 'PUT',/)
    assert.match(pythonCall(put, body), /method='PUT',/)
  })
})
