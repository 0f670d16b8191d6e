import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { readCode, writeCode } from '../support/code-area.ts'
import { comesTo } from '../support/comes-to.ts'
import { makeContext } from '../support/contexts.ts'
import { ORDER, ordersFlow } from '../support/documents.ts'
import type { Editor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

function withWebhook(fields: Readonly<Record<string, unknown>>) {
  const { nodes, ...document } = ordersFlow()
  return { ...document, nodes: nodes.map((node) => (node.type === 'webhook' ? { ...node, fields } : node)) }
}

async function openRequest(editor: Editor) {
  const webhook = await editor.inspect('webhook-1')
  await webhook.getByRole('button', { name: 'Edit the payload' }).click()
  const panel = editor.page.getByRole('complementary', { name: 'Payload of the test' })
  const body = panel.getByLabel('Body of the test request')
  await body.waitFor()
  return {
    panel,
    write: async (text: string) => {
      await writeCode(body, text)
      await comesTo(editor.page, () => readCode(body), text)
    },
    test: () => panel.getByRole('button', { name: 'Test', exact: true }).click(),
    send: () => panel.getByRole('button', { name: 'Send to the live address' }).click(),
    holds: (value: unknown) => comesTo(editor.page, async () => parsed(await readCode(body)), value)
  }
}

/** Undefined while it is half there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe('a test request', () => {
  it('begins with what the templates ask for, shows what came of it, and is sent byte for byte to the live address', async (t) => {
    const editor = await open(t)
    const request = await openRequest(editor)
    await request.holds({ order_id: 'order_id', customer: 'customer' })
    await request.test()
    await request.panel.getByText('Succeeded').waitFor()
    const link = request.panel.getByRole('link', { name: /^Run / })
    const id = (await link.getAttribute('href'))!.split('/').at(-1)!
    const run = await editor.service.readRun(id)
    assert.deepEqual(run.input, { order_id: 'order_id', customer: 'customer' })
    assert.deepEqual([(run as { test?: boolean }).test, run.status], [true, 'succeeded'])

    const { panel, write, send } = request
    await write('no JSON at all')
    await panel.getByText('it arrives as text').waitFor()
    const sent = editor.page.waitForRequest(/\/webhook\//)
    await send()
    assert.ok((await sent).url().endsWith(`/api/v1/webhook/${editor.flow.slug}`))
    await panel.getByText('Failed', { exact: true }).waitFor()
    await panel.getByText(/order_id.*has no value/).waitFor()
    const failed = (await link.last().getAttribute('href'))!.split('/').at(-1)!
    assert.equal((await editor.service.get(`/api/v1/runs/${failed}/input`)).text, 'no JSON at all')
  })

  it('begins with the last payload, then with what was written last, and says that what is drawn did not run', async (t) => {
    const editor = await open(t)
    await editor.service.run(editor.flow.slug, JSON.stringify(ORDER))
    const first = await openRequest(editor)
    await first.holds(ORDER)
    await first.write('{"order_id": 8, "customer": "Bo"}')
    await editor.reopen()
    const second = await openRequest(editor)
    await second.holds({ order_id: 8, customer: 'Bo' })
    await second.panel.getByRole('button', { name: 'Last payload' }).click()
    await second.holds(ORDER)

    const parser = await editor.inspect('parser-1')
    await parser.getByText('Stringify').click()
    const request = await openRequest(editor)
    await request.send()
    await request.panel.getByText('Your changes are not published yet').waitFor()
    await request.panel.getByText('Succeeded').waitFor()
    await editor.publish()
    const again = await openRequest(editor)
    await again.send()
    await again.panel.getByText('Succeeded').waitFor()
    assert.equal(await again.panel.getByText('Your changes are not published yet').count(), 0)
  })

  it('shows in plain words why it was refused', async (t) => {
    const editor = await open(t, { document: withWebhook({ rate_limit: 1 }) })
    const { panel, send } = await openRequest(editor)
    await send()
    await panel.getByText('202 Accepted').waitFor()
    await send()
    await panel.getByRole('alert').getByText('Too many requests for this flow').waitFor()
    await panel
      .getByRole('alert')
      .getByText(/takes 1 requests per minute/)
      .waitFor()
  })

  it('comes by a method that the webhook takes, and shows what the flow answered', async (t) => {
    const { nodes } = withWebhook({ auth: 'None', methods: ['GET'], respond: 'When the flow answers' })
    const respond = { status: '404', body: { missing: '{order_id}' } }
    const document = {
      ...ordersFlow(),
      nodes: [
        ...nodes.filter(({ type }) => type === 'webhook'),
        { id: 'respond-1', type: 'respond', position: { x: 320, y: 0 }, fields: respond }
      ],
      edges: [{ from: 'webhook-1.data', to: 'respond-1.data' }]
    }
    const editor = await open(t, { document })
    const { panel, write, send } = await openRequest(editor)
    await write('{"order_id": 7}')
    await send()
    await panel.getByText('Answered 404').waitFor()
    await panel.getByText('{"missing":"7"}').waitFor()
    await panel.getByRole('link', { name: /^Run / }).waitFor()
  })

  it('is signed as the live version asks, whatever is drawn', async (t) => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const fields = { auth: 'Signature', signature_scheme: 'GitHub', signing_secret: '{$live_secret}' }
    const editor = await open(t, {
      document: { ...withWebhook(fields), context: '/live-signed' },
      prepare: (service) => makeContext(service, '/live-signed', { variables: { live_secret: secret } })
    })
    const drawn = { ...withWebhook({ ...fields, signature_scheme: 'Stripe' }), context: '/live-signed' }
    const path = `/api/v1/flows/${editor.flow.id}/draft`
    await editor.service.request('PUT', path, { body: { ...editor.flow, ...drawn } })
    await editor.reopen()
    const { panel, send } = await openRequest(editor)
    await panel.getByText('It is signed as the sender would: GitHub.').waitFor()
    await send()
    await panel.getByText('202 Accepted').waitFor()
  })

  it('is signed with a secret that no page can read; that one is refused signs nobody out', async (t) => {
    const fields = { auth: 'Signature', signature_scheme: 'GitHub', signing_secret: 'only-for-the-sender' }
    const editor = await open(t, { document: withWebhook(fields) })
    const { panel, send } = await openRequest(editor)
    await panel.getByText('It is signed as the sender would: GitHub.').waitFor()
    await send()
    await panel.getByText('202 Accepted').waitFor()
    const { connections } = (await editor.service.get('/api/v1/connections')).json<{
      connections: { id: string; name: string }[]
    }>()
    const own = connections.find(({ name }) => name.startsWith(editor.flow.slug))!
    await editor.service.request('DELETE', `/api/v1/connections/${own.id}`)
    await send()
    await panel.getByText('Send a request from the sender itself').waitFor()
    assert.match(editor.page.url(), /\/flows\//)
  })
})
