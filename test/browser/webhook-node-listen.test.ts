import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import type { Editor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

async function listen(editor: Editor) {
  const webhook = await editor.inspect('webhook-1')
  await webhook.getByRole('button', { name: 'Listen' }).click()
  await webhook.getByText('Listening:').waitFor()
  return webhook.getByRole('region', { name: 'The request that landed', exact: true })
}

describe('Listen', () => {
  it('is stopped with one click, and shows the next request as it came, from wherever it comes', async (t) => {
    const editor = await open(t)
    const { service, flow } = editor
    const landed = await listen(editor)
    await editor.inspected('webhook-1').getByRole('button', { name: 'Stop' }).click()
    await editor.inspected('webhook-1').getByRole('button', { name: 'Listen' }).waitFor()
    await service.run(flow.slug, '{"order_id":4,"customer":"unheard"}')
    await editor.ran('parser-1').getByText('Succeeded').waitFor()
    assert.equal(await landed.count(), 0)
    await listen(editor)
    const sent = '{ "order_id": 12345678901234567890,\n  "customer": "Ann" }'
    const answer = await service.post(`/v1/webhook/${flow.id}?shop=eu`, Buffer.from(sent), {
      headers: { 'x-shop': 'north', 'content-type': 'application/vnd.shop+json' }
    })
    const { run_id } = answer.json<{ run_id: string }>()
    await landed.getByText('12345678901234567890').waitFor()
    await landed.getByText('"Ann"').waitFor()
    await landed.getByText('Succeeded').waitFor()
    await landed.getByText('Headers', { exact: true }).click()
    const headers = await landed.getByRole('region', { name: 'The request that landed: headers' }).innerText()
    for (const fact of ['POST', '?shop\neu', 'x-shop\nnorth', 'content-type\napplication/vnd.shop+json']) {
      assert.ok(headers.replaceAll(':', '').includes(fact), `${fact} in ${headers}`)
    }
    assert.doesNotMatch(headers, /x-api-key/)
    await landed.getByText('Raw text', { exact: true }).click()
    assert.equal(
      await landed
        .getByRole('region', { name: 'The request that landed: raw text' })
        .locator('pre')
        .textContent(),
      sent
    )
    await landed.getByRole('link', { name: 'Run' }).click()
    await editor.page.waitForURL(`**/runs/${run_id}`)
  })

  it('takes one request and no more until it is armed again, of whatever kind, and goes on while the page is elsewhere', async (t) => {
    const editor = await open(t)
    const { page, service, flow } = editor
    const landed = await listen(editor)
    await service.run(flow.slug, '{"order_id":1,"customer":"first"}')
    await landed.getByText('"first"').waitFor()
    await service.run(flow.slug, '{"order_id":2,"customer":"second"}')
    await editor.ran('parser-1').getByText('Succeeded').waitFor()
    assert.equal(await landed.getByText('"first"').count(), 1)
    await listen(editor)
    await comesTo(editor.page, () => landed.count(), 0)
    await service.run(flow.slug, '{"order_id":3,"customer":"third"}')
    await landed.getByText('"third"').waitFor()
    await landed.getByRole('button', { name: 'Close the request' }).click()
    await landed.waitFor({ state: 'detached' })

    await listen(editor)
    await editor.service.webhook(editor.flow.slug, '<b>bold</b>')
    await landed.getByText('"<b>bold</b>"').waitFor()
    await listen(editor)
    await editor.service.webhook(editor.flow.slug, '')
    await landed.getByText('Raw text', { exact: true }).click()
    await landed.getByText('The body was empty.').waitFor()

    await listen(editor)
    await editor.service.run(editor.flow.slug, '{"order_id":7,"customer":"Ann"}')
    await landed.getByRole('button', { name: 'Show the request beside the canvas' }).click()
    const beside = editor.page.getByRole('complementary', { name: 'Request' })
    await beside.getByText('"Ann"').waitFor()

    await listen(editor)
    await page.getByRole('link', { name: 'Runs' }).first().click()
    await page.waitForURL('**/runs')
    await service.run(flow.slug, '{"order_id":5,"customer":"meanwhile"}')
    await service.run(flow.slug, '{"order_id":6,"customer":"later"}')
    await page.goBack()
    await editor.settled()
    await editor.inspect('webhook-1')
    await landed.getByText('"meanwhile"').waitFor()
  })

  it('runs the draft on a copy, while the request goes its way', async (t) => {
    const editor = await open(t)
    const { page, service, flow } = editor
    await editor.writeTemplate(await editor.inspect('parser-1'), 'Draft {order_id}')
    await page.getByRole('button', { name: 'Other ways to test' }).click()
    await page.getByRole('menuitem', { name: 'Listen for a request' }).click()
    await page.getByRole('button', { name: 'Listening' }).waitFor()
    const real = await service.run(`${flow.slug}?shop=eu`, '{"order_id":9,"customer":"Ann"}')
    assert.equal(real.steps.find(({ node }) => node === 'parser-1')?.outputs?.parsed_text, 'Order 9 from Ann')
    const output = editor.inspected('parser-1').getByRole('region', { name: 'Output', exact: true })
    await output.getByText('Draft 9', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Test', exact: true }).waitFor()
    const { runs } = (await service.get(`/api/v1/runs?flow_id=${flow.id}&test=true`)).json<{
      runs: { replay_of: string }[]
    }>()
    assert.deepEqual(
      runs.map(({ replay_of }) => replay_of),
      [real.id]
    )

    await listen(editor)
    const testAddress = editor.inspected('webhook-1').getByRole('status', { name: 'Test address' })
    const sent = await fetch(await testAddress.innerText(), { method: 'POST', body: '{"order_id":10}' })
    assert.equal(sent.status, 202)
    const landed = editor.inspected('webhook-1').getByRole('region', { name: 'The request that landed' })
    await landed.getByText('10', { exact: true }).waitFor()
    await editor.inspect('parser-1')
    await output.getByText('Draft 10', { exact: true }).waitFor()
  })

  it('begins a new flow: the first request shows its keys, and what fits is added', async (t) => {
    const editor = await open(t)
    const { page, service } = editor
    await page.goto(`${service.address}/flows`)
    await page.getByRole('button', { name: 'New flow' }).first().click()
    await page.getByRole('radio', { name: /Send me something/ }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    const panel = page.getByRole('complementary', { name: 'Send me something' })
    const address = await panel.getByRole('status', { name: 'Test address' }).innerText()
    const order = { order_id: 7, total: 129.5, customer: { email: 'ann@example.com' }, lines: [{ sku: 'A' }] }
    const sent = await fetch(address, {
      method: 'POST',
      headers: { 'stripe-signature': `t=1,v1=${'ab'.repeat(32)}` },
      body: JSON.stringify(order)
    })
    assert.equal(sent.status, 202)
    const [canvas, webhook] = [
      await editor.canvas.boundingBox(),
      await editor.node('webhook-1').boundingBox()
    ]
    assert.ok(webhook!.x > canvas!.x + 32 && webhook!.y > canvas!.y + 32, 'the node lies in the corner')
    await panel.getByRole('row', { name: 'customer.email text ann@example.com' }).waitFor()
    await panel.getByRole('heading', { name: 'Stripe sent it' }).waitFor()
    await panel.getByText('lines is a list of 1').waitFor()
    await assertAccessible(page, SEEN_PAGE)
    await panel.getByRole('button', { name: 'Add If-Else' }).click()
    await editor.node('if-else-1').waitFor()
    await panel.getByRole('button', { name: 'Add Parser' }).click()
    await editor.node('parser-1').waitFor()
    const { flows } = (await service.get('/api/v1/flows')).json<{ flows: { id: string; name: string }[] }>()
    const made = flows.find(({ name }) => name === 'New flow')!
    await comesTo(
      page,
      async () =>
        (await service.get(`/api/v1/flows/${made.id}/draft`))
          .json<{ edges: { from: string }[] }>()
          .edges.map(({ from }) => from),
      ['webhook-1.data', 'webhook-1.data']
    )
    await panel.getByRole('button', { name: 'Let in only Stripe' }).click()
    await comesTo(page, () => editor.inspected('webhook-1').getByLabel('Sent by').inputValue(), 'Stripe')
  })
})
