import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PHONE, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import { type Service, startService, temporaryFolder } from '../support/service.ts'
import { sharedPage } from '../support/shared-page.ts'

const browser = testBrowser()
const shared = sharedPage(browser)

const hasFocus = (page: Page) => page.locator(':focus')
const names = (page: Page) => page.getByRole('list', { name: 'Flows' }).locator('[data-flow-link]')
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
/** Every test leaves some behind. */
const countFlows = async (service: Service) =>
  (await service.get('/api/v1/flows')).json<{ flows: unknown[] }>().flows.length
const actions = async (page: Page, flow: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${flow}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

const flow = (name: string, more: object = {}) => ({
  name,
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'parser-1', type: 'parser', fields: { template: '{text}' } }
  ],
  edges: [{ from: 'webhook-1.data', to: 'parser-1.data' }],
  ...more
})

describe('the list of flows', () => {
  it('finds by words and keeps the search in the address', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow(flow('Invoices', { description: 'Sent by the shop' }))
    await service.createFlow(flow('Invoices of others'))
    const all = await countFlows(service)
    await goTo('/flows')
    await page.getByText(`${all} flows`, { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.getByLabel('Search flows').and(hasFocus(page)).waitFor()
    await page.keyboard.type('shop invo')
    await page.getByText(`1 of ${all}`, { exact: true }).waitFor()
    await comesTo(page, () => names(page).allTextContents(), ['Invoices'])
    // The address follows the field.
    await page.waitForURL((url) => url.searchParams.get('q') === 'shop invo')
    await page.reload()
    await page.getByText(`1 of ${all}`, { exact: true }).waitFor()
    await page.getByLabel('Search flows').fill('nothing like it')
    await page.getByRole('heading', { name: 'No flow matches' }).waitFor()
    await page.getByRole('button', { name: 'Show all flows' }).click()
    await page.getByText(`${all} flows`, { exact: true }).waitFor()
  })

  it('shows and filters by context', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.post('/api/v1/contexts', { name: 'sales' })
    await service.createFlow(flow('Offers', { context: '/sales' }))
    const all = await countFlows(service)
    await goTo('/flows')
    await page.getByRole('link', { name: '/sales' }).waitFor()
    await page.getByRole('combobox', { name: 'Context' }).click()
    await page.getByRole('option', { name: '/sales' }).click()
    await page.getByText(`1 of ${all}`, { exact: true }).waitFor()
    await comesTo(page, () => names(page).allTextContents(), ['Offers'])
  })

  it('follows the runs of every flow without a reload', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow(flow('Lines'))
    await goTo('/flows')
    const strip = page.getByRole('link', { name: /^Runs of Lines/ })
    await page.getByRole('link', { name: 'Runs of Lines: none yet' }).waitFor()
    await service.run('lines', '{"text":"a"}')
    await page.getByRole('link', { name: 'Runs of Lines: the last one: 1 succeeded' }).waitFor()
    await service.run('lines', '{}')
    await page.getByRole('link', { name: 'Runs of Lines: the last 2: 1 failed, 1 succeeded' }).waitFor()
    await comesTo(page, () => strip.locator('[data-tone="failed"]').count(), 1)
  })

  it('follows flows that others make, change and delete', async (t) => {
    const { service, page, goTo } = await shared(t)
    await goTo('/flows')
    await names(page).first().waitFor()
    const made = await service.createFlow(flow('Made elsewhere'))
    await link(page, 'Made elsewhere').waitFor()
    await service.saveFlow(made, { name: 'Renamed elsewhere' })
    await link(page, 'Renamed elsewhere').waitFor()
    await service.request('DELETE', `/api/v1/flows/${made.id}`)
    await link(page, 'Renamed elsewhere').waitFor({ state: 'detached' })
  })

  it('is walked through by keyboard', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow(flow('First in the list'))
    await goTo('/flows')
    await link(page, 'First in the list').waitFor()
    await names(page).nth(1).waitFor()
    await names(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await names(page).nth(1).and(hasFocus(page)).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/flows\/[^/]+$/)
  })

  it('invites to make one where there is none', async (t) => {
    const service = await startService(t)
    const { flows } = (await service.get('/api/v1/flows')).json<{ flows: { id: string }[] }>()
    for (const { id } of flows) await service.request('DELETE', `/api/v1/flows/${id}`)
    const page = await browser.open(t, service)
    await page.getByRole('button', { name: 'Make the first flow' }).click()
    await page.getByRole('dialog', { name: 'New flow' }).waitFor()
  })

  it('offers nothing that the key may not do', async (t) => {
    const { service } = await shared(t)
    const { key } = await service.createKey({ rights: ['read'] })
    const page = await browser.open(t, service, { key })
    await names(page).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'New flow' }).count(), 0)
    await page.getByRole('button', { name: 'Actions for Orders', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export the document' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Delete' }).count(), 0)
  })

  it('fits a phone without scrolling sideways', async (t) => {
    const { service } = await shared(t)
    const name = 'A flow with quite a long name that does not fit into one line'
    await service.createFlow(flow(name, { description: 'x '.repeat(200) }))
    const page = await browser.open(t, service, { viewport: PHONE })
    await link(page, name).waitFor()
    const overflow = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
    assert.equal(overflow, 0)
  })
})

describe('a new flow', () => {
  it('is blank, by keyboard alone', async (t) => {
    const { service, page, goTo } = await shared(t)
    await goTo('/flows')
    await names(page).first().waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'New flow' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).and(hasFocus(page)).waitFor()
    await page.keyboard.type('Typed by hand')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/flows\/[^/?]+$/)
    const id = page.url().split('/').at(-1)!
    const made = (await service.get(`/api/v1/flows/${id}`)).json()
    assert.equal(made.name, 'Typed by hand')
    assert.deepEqual(made.nodes, [])
  })

  it('begins with a worked template, in a context, and with a run of its sample', async (t) => {
    const { service, page, goTo } = await shared(t)
    await goTo('/flows')
    const asked = page.waitForResponse(/\/api\/v1\/contexts$/)
    await page.getByRole('button', { name: 'New flow' }).click()
    await asked
    await page.keyboard.press('Escape')
    // By somebody else, a moment after the page had read which contexts there are.
    await service.post('/api/v1/contexts', { name: 'ops' })
    await page.getByRole('button', { name: 'New flow' }).click()
    const dialog = page.getByRole('dialog', { name: 'New flow' })
    await dialog.getByRole('radio', { name: /^Monitoring alert/ }).click()
    await comesTo(page, () => dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'Alerts')
    await dialog.getByRole('combobox', { name: 'Context' }).click()
    await page.getByRole('option', { name: '/ops' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/\/flows\/[^/?]+$/)
    const id = page.url().split('/').at(-1)!
    const made = (await service.get(`/api/v1/flows/${id}`)).json<{ context: string; nodes: unknown[] }>()
    assert.equal(made.context, '/ops')
    assert.equal(made.nodes.length, 5)
    await page.getByRole('link', { name: 'Flows', exact: true }).click()
    await page.getByRole('link', { name: 'Runs of Alerts: the last one: 1 succeeded' }).waitFor()
  })
})

describe('a flow from outside', () => {
  it('is duplicated', async (t) => {
    const { service, page, goTo } = await shared(t)
    const { nodes } = await service.createFlow(ordersFlow({ name: 'Twins' }))
    await goTo('/flows')
    await actions(page, 'Twins', 'Duplicate')
    await link(page, 'Twins (copy)').waitFor()
    await actions(page, 'Twins', 'Duplicate')
    await link(page, 'Twins (copy 2)').waitFor()
    const copy = (await service.get('/api/v1/flows/twins-copy')).json<{ nodes: unknown[] }>()
    assert.deepEqual(copy.nodes, nodes)
  })

  it('is exported as its document, and imported again under a slug that is free', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow(ordersFlow({ name: 'Parcels', description: 'To send' }))
    await goTo('/flows')
    const download = page.waitForEvent('download')
    await actions(page, 'Parcels', 'Export the document')
    const file = await download
    assert.equal(file.suggestedFilename(), 'parcels.json')
    const text = await readFile(await file.path(), 'utf8')
    const exported = JSON.parse(text)
    const {
      id: _,
      version: _v,
      created_at: _c,
      updated_at: _u,
      paused: _p,
      aliases: _a,
      ...document
    } = (await service.get('/api/v1/flows/parcels')).json()
    assert.deepEqual(exported, document)

    await page.locator('input[type=file]').setInputFiles({
      name: 'parcels.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text)
    })
    await page.getByText('“Parcels” was imported as parcels-2.').waitFor()
    const imported = (await service.get('/api/v1/flows/parcels-2')).json<{ nodes: unknown[] }>()
    assert.deepEqual(imported.nodes, exported.nodes)
  })

  it('is imported by dropping its file', async (t) => {
    const { page, goTo } = await shared(t)
    await goTo('/flows')
    await names(page).first().waitFor()
    const data = await page.evaluateHandle(
      (text) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([text], 'dropped.json', { type: 'application/json' }))
        return transfer
      },
      JSON.stringify(flow('Dropped'))
    )
    const main = page.locator('main h1')
    await main.dispatchEvent('dragenter', { dataTransfer: data })
    await page.getByText('Drop flow documents to import them').waitFor()
    await main.dispatchEvent('drop', { dataTransfer: data })
    await link(page, 'Dropped').waitFor()
    await page.getByText('Drop flow documents to import them').waitFor({ state: 'detached' })
  })

  it('is not imported where the file is none, and the page says why', async (t) => {
    const { page, goTo } = await shared(t)
    const folder = await temporaryFolder(t)
    const bad = join(folder, 'bad.json')
    const wrong = join(folder, 'wrong.json')
    await writeFile(bad, 'name: Orders')
    await writeFile(
      wrong,
      JSON.stringify(flow('Wrong', { nodes: [{ id: 'a', type: 'no-such-type' }], edges: [] }))
    )
    await goTo('/flows')
    await names(page).first().waitFor()
    await page.locator('input[type=file]').setInputFiles([bad, wrong])
    await page.getByText(/bad\.json: The file is not JSON/).waitFor()
    await page.getByText(/wrong\.json: Node "a" is of the unknown type "no-such-type"/).waitFor()
  })

  it('is deleted at once, and brought back by undo', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow(flow('Short lived'))
    await goTo('/flows')
    await actions(page, 'Short lived', 'Delete')
    await link(page, 'Short lived').waitFor({ state: 'detached' })
    assert.equal((await service.get('/api/v1/flows/short-lived')).status, 404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await link(page, 'Short lived').waitFor()
    assert.equal((await service.run('short-lived', '{"text":"a"}')).status, 'succeeded')
  })

  it('gives its endpoint to the clipboard', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow(flow('Letters'))
    await goTo('/flows')
    await actions(page, 'Letters', 'Copy the endpoint')
    await page.getByText('The endpoint was copied.').waitFor()
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      `${service.address}/api/v1/webhook/letters`
    )
  })
})
