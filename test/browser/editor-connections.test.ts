import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { assertAccessible, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeContext } from '../support/contexts.ts'
import { Editor } from '../support/editor.ts'
import { startMisbehavingServer } from '../support/misbehaving-server.ts'
import { sharedPage } from '../support/shared-page.ts'

const browser = testBrowser()
const shared = sharedPage(browser, { plugins: ['reach.ts'] })

const shop = { name: 'shop', kind: 'http', settings: { base_url: 'https://shop.example' } }

function flowNaming(connection: string, given: Readonly<Record<string, unknown>> = {}) {
  return { name: 'Fulfil', nodes: [{ id: 'api-1', type: 'reach-api', fields: { connection } }], ...given }
}

async function open(t: TestContext, document: Readonly<Record<string, unknown>>): Promise<Editor> {
  const { service, page, goTo } = await shared(t)
  const flow = await service.createFlow(document)
  await goTo(`/flows/${flow.id}`)
  const editor = new Editor(page, service, flow)
  await editor.settled()
  return editor
}

describe('the connection of a node', () => {
  it('is made in place where it is missing, and the flow needs no new version for it', async (t) => {
    const editor = await open(t, flowNaming('bank'))
    const { page } = editor
    const node = await editor.inspect('api-1')
    await node.getByText('No “bank” in /.').waitFor()
    await page.getByRole('button', { name: '1 connection missing' }).click()
    const panel = page.getByRole('complementary', { name: 'Missing connections' })
    await panel.getByRole('button', { name: 'Reach an API' }).waitFor()
    await assertAccessible(page, SEEN_PAGE)
    await editor.inspect('api-1')
    await node.getByRole('button', { name: 'Create the connection bank' }).click()
    const dialog = page.getByRole('dialog', { name: 'New connection' })
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'bank')
    await dialog.getByLabel('Base URL').fill('https://bank.example')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await node.getByText('Found in /.').waitFor()
    await page.getByRole('button', { name: '1 connection missing' }).waitFor({ state: 'detached' })
    assert.equal((await editor.read()).version, 1)
  })

  it('is chosen from what fits and is seen from the context, or typed; it says which one it is and why', async (t) => {
    const { service } = await shared(t)
    await makeContext(service, '/staging', { variables: { api: 'shop' } })
    for (const context of ['/', '/staging']) await service.post('/api/v1/connections', { ...shop, context })
    const mail = { name: 'mail', kind: 'smtp', settings: { host: 'mail.example', from: 'a@b.example' } }
    await service.post('/api/v1/connections', mail)
    const editor = await open(t, flowNaming('mail', { context: '/staging' }))
    const node = await editor.inspect('api-1')
    await node.getByText('“mail” of / is of the kind smtp. This takes http.').waitFor()
    await editor.node('api-1').getByRole('button', { name: '1 problem' }).waitFor()
    const field = node.getByRole('combobox', { name: 'Connection' })
    await field.selectOption('shop')
    await node.getByText('Found in /staging; hides the one of /.').waitFor()
    await node.getByRole('button', { name: 'Type a name' }).click()
    await node.getByRole('textbox', { name: 'Connection' }).fill('{$api}')
    await node.getByText('{$api} is “shop”. Found in /staging').waitFor()
    await node.getByRole('textbox', { name: 'Connection' }).fill('')
    await editor.saving.getByText('Draft saved · 1 problem').waitFor()
    await node.getByText('Names no connection.').waitFor()
    await node.getByRole('button', { name: 'Choose from the list' }).click()
    await field.selectOption('shop')
    await editor.saved()
    assert.partialDeepStrictEqual(await editor.readNode('api-1'), { fields: { connection: 'shop' } })
  })

  it('is changed and tried where a step was not let in by it', async (t) => {
    const { service } = await shared(t)
    const server = await startMisbehavingServer()
    cleanUp(t, () => server.stop())
    await makeContext(service, '/checkout')
    await service.post('/api/v1/connections', {
      name: 'till',
      kind: 'http',
      context: '/checkout',
      settings: { base_url: server.origin, auth: 'bearer' },
      secrets: { token: 'wrong' }
    })
    const fields = { connection: 'till', url: '/failing?times=9&status=401' }
    const editor = await open(t, {
      name: 'Pay',
      context: '/checkout',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'api-1', type: 'api-request', position: { x: 320, y: 0 }, fields }
      ],
      edges: [{ from: 'webhook-1.data', to: 'api-1.data' }]
    })
    await editor.runAndRead('{}')
    const node = await editor.inspect('api-1')
    await node.getByRole('region', { name: 'Output' }).getByRole('button', { name: 'Change “till”' }).click()
    const dialog = editor.page.getByRole('dialog', { name: 'Change “till”' })
    await dialog.getByRole('button', { name: 'Replace Token' }).click()
    await editor.page.keyboard.insertText('right')
    const tried = editor.page.waitForRequest((request) => request.url().endsWith('/test'))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await tried
  })

  it('is offered by name to those who may not make connections', async (t) => {
    const { service } = await shared(t)
    await service.post('/api/v1/connections', { ...shop, name: 'depot' })
    const flow = await service.createFlow(flowNaming('nobody'))
    const { key } = await service.createKey({ name: 'Writer', rights: ['read', 'write'] })
    const page = await browser.open(t, service, { path: `/flows/${flow.id}`, key })
    const editor = new Editor(page, service, flow)
    await editor.settled()
    const node = await editor.inspect('api-1')
    await node.getByText('No “nobody” in /.').waitFor()
    assert.equal(await node.getByRole('button', { name: 'New connection' }).count(), 0)
    await page.getByRole('button', { name: '1 connection missing' }).click()
    await page.getByText('Your key may not create connections in /.').waitFor()
    await editor.inspect('api-1')
    await node.getByRole('combobox', { name: 'Connection' }).selectOption('depot')
    await node.getByText('Found in /.').waitFor()
  })

  it('is named by an import that misses it, with a button that makes it', async (t) => {
    const { page, goTo } = await shared(t)
    await goTo('/flows')
    await page.getByRole('button', { name: 'Import' }).waitFor()
    await page.locator('input[type=file]').setInputFiles({
      name: 'ship.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(flowNaming('carrier', { name: 'Ship' })))
    })
    const dialog = page.getByRole('dialog', { name: 'Missing connections' })
    await dialog.getByRole('button', { name: 'Create the connection carrier' }).click()
    const form = page.getByRole('dialog', { name: 'New connection' })
    await form.getByLabel('Base URL').fill('https://carrier.example')
    await page.keyboard.press('Enter')
    await dialog.getByText('has all the connections that it uses.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
  })
})
