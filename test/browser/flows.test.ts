import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DIALOG, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import type { Service } from '../support/service.ts'
import { makePhone, sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser())

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
  it('finds by words and by context, and keeps that in the address', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow(flow('Invoices', { description: 'Sent by the shop' }))
    await service.createFlow(flow('Invoices of others'))
    await service.post('/api/v1/contexts', { name: 'sales' })
    await service.createFlow(flow('Offers', { context: '/sales' }))
    const all = await countFlows(service)
    await goTo('/flows')
    await page.getByText(`${all} flows`, { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.getByLabel('Search flows').and(hasFocus(page)).waitFor()
    await page.keyboard.insertText('shop invo')
    await page.getByText(`1 of ${all}`, { exact: true }).waitFor()
    await comesTo(page, () => names(page).allTextContents(), ['Invoices'])
    // The address follows the field.
    await page.waitForURL((url) => url.searchParams.get('q') === 'shop invo')
    await goTo('/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.goBack()
    await page.getByText(`1 of ${all}`, { exact: true }).waitFor()
    await page.getByLabel('Search flows').fill('nothing like it')
    await page.getByRole('heading', { name: 'No flow matches' }).waitFor()
    await page.getByRole('button', { name: 'Show all flows' }).click()
    await page.getByText(`${all} flows`, { exact: true }).waitFor()
    await page.getByRole('link', { name: '/sales' }).waitFor()
    await page.getByRole('combobox', { name: 'Context' }).click()
    await page.getByRole('option', { name: '/sales' }).click()
    await page.getByText(`1 of ${all}`, { exact: true }).waitFor()
    await comesTo(page, () => names(page).allTextContents(), ['Offers'])
  })

  it('follows runs, and flows that others make, change and delete, without a reload', async (t) => {
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
    const made = await service.createFlow(flow('Made elsewhere'))
    await link(page, 'Made elsewhere').waitFor()
    await service.saveFlow(made, { name: 'Renamed elsewhere' })
    await link(page, 'Renamed elsewhere').waitFor()
    await service.request('DELETE', `/api/v1/flows/${made.id}`)
    await link(page, 'Renamed elsewhere').waitFor({ state: 'detached' })
  })
})

describe('a new flow', () => {
  it('is blank, by keyboard alone, or a worked template, in a context, with a run of its sample', async (t) => {
    const { service, page, goTo } = await shared(t)
    await goTo('/flows')
    await names(page).first().waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'New flow' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).and(hasFocus(page)).waitFor()
    await page.keyboard.insertText('Typed by hand')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/flows\/[^/?]+$/)
    const made = async () => {
      const answer = await service.get(`/api/v1/flows/${page.url().split('/').at(-1)}`)
      return answer.json<{ name: string; context: string; nodes: unknown[] }>()
    }
    assert.equal((await made()).name, 'Typed by hand')
    assert.deepEqual((await made()).nodes, [])
    await page.getByRole('link', { name: 'Flows', exact: true }).click()
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
    assert.equal((await made()).context, '/ops')
    assert.equal((await made()).nodes.length, 5)
    // Nobody has sent anything yet: its first run is a test.
    await page.getByRole('region', { name: 'The run on the canvas' }).getByText(/test$/).waitFor()
    // What lacks a connection cannot work: nothing of it is live.
    await page.getByRole('link', { name: 'Flows', exact: true }).click()
    await page.getByRole('button', { name: 'New flow' }).click()
    await dialog.getByRole('radio', { name: /^Book a parcel/ }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Lacking')
    await dialog.getByRole('region', { name: 'Connections that it needs' }).waitFor()
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByTitle(/^Draft 1\. Nothing is live yet/).waitFor()
    assert.deepEqual((await made()).nodes, [])
  })
})

describe('a flow from outside', () => {
  it('gives its endpoint to the clipboard, is duplicated, deleted at once, and brought back by undo', async (t) => {
    const { service, page, goTo } = await shared(t)
    const { nodes } = await service.createFlow(ordersFlow({ name: 'Twins' }))
    await goTo('/flows')
    await actions(page, 'Twins', 'Copy the endpoint')
    await page.getByText('The endpoint was copied.').waitFor()
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      `${service.address}/api/v1/webhook/twins`
    )
    await actions(page, 'Twins', 'Duplicate')
    await link(page, 'Twins (copy)').waitFor()
    await actions(page, 'Twins', 'Duplicate')
    await link(page, 'Twins (copy 2)').waitFor()
    const copy = (await service.get('/api/v1/flows/twins-copy')).json<{ nodes: unknown[] }>()
    assert.deepEqual(copy.nodes, nodes)

    await actions(page, 'Twins', 'Delete')
    await link(page, 'Twins').waitFor({ state: 'detached' })
    assert.equal((await service.get('/api/v1/flows/twins')).status, 404)
    await page.getByText('“Twins” is in the bin for 30 days.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await link(page, 'Twins').waitFor()
    assert.equal((await service.run('twins', '{"order_id":7,"customer":"Ann"}')).status, 'succeeded')
  })

  it('is exported as its document, and imported again; the page says why where a file is none', async (t) => {
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

    const give = (...files: [name: string, text: string][]) =>
      page.locator('input[type=file]').setInputFiles(
        files.map(([name, content]) => {
          return { name, mimeType: 'application/json', buffer: Buffer.from(content) }
        })
      )
    await give(['parcels.json', text])
    await page.getByText('“Parcels” was imported as parcels-2.').waitFor()
    const imported = (await service.get('/api/v1/flows/parcels-2')).json<{ nodes: unknown[] }>()
    assert.deepEqual(imported.nodes, exported.nodes)

    const unknown = flow('Wrong', { nodes: [{ id: 'a', type: 'no-such-type' }], edges: [] })
    await give(['bad.json', 'name: Orders'], ['wrong.json', JSON.stringify(unknown)])
    await page.getByText(/bad\.json: The file is neither JSON nor an archive of JSON/).waitFor()
    await page.getByText(/wrong\.json: Node "a" is of the unknown type "no-such-type"/).waitFor()

    const dropped = await page.evaluateHandle(
      (content) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([content], 'dropped.json', { type: 'application/json' }))
        return transfer
      },
      JSON.stringify(flow('Dropped'))
    )
    const main = page.locator('main h1')
    await main.dispatchEvent('dragenter', { dataTransfer: dropped })
    await page.getByText('Drop flows to import them: yours, or those of other tools').waitFor()
    await main.dispatchEvent('drop', { dataTransfer: dropped })
    await link(page, 'Dropped').waitFor()
    await page
      .getByText('Drop flows to import them: yours, or those of other tools')
      .waitFor({ state: 'detached' })
  })
})

describe('flows as a whole', () => {
  it('are tagged in the row and in the menu, and found by tag', async (t) => {
    const { service, page, goTo } = await shared(t)
    const made = await service.createFlow(flow('Crates'))
    await service.createFlow(flow('Letters with tags', { tags: ['post', 'eu'] }))
    const tags = async () =>
      (await service.get(`/api/v1/flows/${made.id}`)).json<{ tags?: string[] }>().tags ?? []
    await goTo('/flows')
    await page.getByRole('button', { name: 'Edit the tags of Crates' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tags of Crates' })
    await dialog.getByRole('combobox', { name: 'Tags', exact: true }).fill('pos')
    // Known tags complete what is typed.
    await page.getByRole('option', { name: 'post' }).click()
    await page.keyboard.insertText('fragile')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await comesTo(page, tags, ['post', 'fragile'])
    const row = page.getByRole('listitem').filter({ has: link(page, 'Crates') })
    await row.getByRole('button', { name: 'fragile', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('tag') === 'fragile')
    await comesTo(page, () => names(page).allTextContents(), ['Crates'])
    await page.getByRole('button', { name: 'Remove the tag fragile from Crates' }).click()
    await page.getByRole('heading', { name: 'No flow matches' }).waitFor()
    await page.getByRole('button', { name: 'Show all flows' }).click()
    await actions(page, 'Crates', 'Tags')
    await page.getByRole('dialog', { name: 'Tags of Crates' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('lie in folders that are closed and opened, and fit a phone without scrolling sideways', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.post('/api/v1/contexts', { name: 'storage' })
    await service.post('/api/v1/contexts', { name: 'cold', parent: '/storage' })
    await service.createFlow(flow('Ice', { context: '/storage/cold' }))
    const name = 'A flow with quite a long name that does not fit into one line'
    await service.createFlow(flow(name, { description: 'x '.repeat(200) }))
    await goTo('/flows')
    const folder = page.getByRole('button', { name: 'Folder /storage/cold' })
    await link(page, 'Ice').waitFor()
    await folder.click()
    await link(page, 'Ice').waitFor({ state: 'detached' })
    await folder.click()
    await link(page, 'Ice').waitFor()
    await page.getByRole('switch', { name: 'Folders' }).click({ force: true })
    await folder.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: '/storage/cold' }).waitFor()
    await makePhone(t, page)
    await link(page, name).waitFor()
    const overflow = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
    assert.equal(overflow, 0)
  })

  it('are chosen by Shift and by keyboard; each says what failed, and what is wrong with it', async (t) => {
    const { service, page, goTo } = await shared(t)
    const made = []
    for (const name of ['Bulk A', 'Bulk B', 'Bulk C']) made.push(await service.createFlow(flow(name)))
    const marked = made[2]!
    const body = { ...marked, slug: 'Not a slug!', revision: 0 }
    await service.request('PUT', `/api/v1/flows/${marked.id}/draft`, { body })
    await service.post(`/api/v1/flows/${marked.id}/pause`, { mode: 'refuse' })
    await goTo('/flows?q=bulk&order=name')
    const row = page.getByRole('listitem').filter({ has: link(page, 'Bulk C') })
    for (const mark of ['Paused', 'Draft', '1 problem']) await row.getByText(mark, { exact: true }).waitFor()
    await page.getByLabel('Choose Bulk A').click()
    await page.getByLabel('Choose Bulk C').click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Chosen flows' })
    await bar.getByText('3 chosen').waitFor()
    await link(page, 'Bulk A').focus()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+ArrowDown')
    await bar.getByText('2 chosen').waitFor()
    await bar.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('dialog', { name: 'Pause 2 flows' }).getByRole('button', { name: 'Pause' }).click()
    await page.getByText('2 flows are paused: what arrives is held.').waitFor()
    await page.getByText('Paused', { exact: true }).nth(2).waitFor()
    const held = await service.start('bulk-a', '{"text":"a"}')
    await page.getByText('Paused, 1 held').waitFor()
    await bar.getByRole('button', { name: 'Resume' }).click()
    await page.getByText(/^2 flows are resumed\. The held run starts now/).waitFor()
    assert.equal((await service.waitForRun(held)).status, 'succeeded')
    // A flow is gone by the time that something is done with it: it is named, and the other is tagged.
    await bar.getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('combobox', { name: 'Tags of all of them' }).fill('late')
    await page.keyboard.press('Enter')
    await service.request('DELETE', `/api/v1/flows/${made[1]!.id}`)
    await page.getByRole('dialog', { name: 'Tags of 2 flows' }).getByRole('button', { name: 'Save' }).click()
    const failed = page.getByRole('dialog', { name: '1 of 2 flows was not tagged' })
    await failed.getByText('Bulk B').waitFor()
    await failed.getByRole('button', { name: 'Done' }).click()
    assert.deepEqual((await service.get(`/api/v1/flows/${made[0]!.id}`)).json<{ tags: string[] }>().tags, [
      'late'
    ])
  })

  it('lie in the bin when they are deleted, are restored from it or deleted permanently', async (t) => {
    const { service, page, goTo } = await shared(t)
    const ids = new Map<string, string>()
    for (const name of ['Kept', 'Gone', 'Left over', 'Left over too']) {
      const { id } = await service.createFlow(flow(name))
      await service.request('DELETE', `/api/v1/flows/${id}`)
      ids.set(name, id)
    }
    await goTo('/flows')
    await page.getByRole('link', { name: 'Bin' }).click()
    const row = (name: string) =>
      page.getByRole('list', { name: 'Deleted flows' }).getByRole('listitem').filter({ hasText: name })
    await row('Kept').getByText('by MILLRACE_API_KEY').waitFor()
    await assertAccessible(page, 'main')
    await page.getByRole('button', { name: 'Restore Kept' }).click()
    await page.getByText('“Kept” is back.').waitFor()
    await row('Kept').waitFor({ state: 'detached' })
    assert.equal((await service.run('kept', '{"text":"a"}')).status, 'succeeded')
    await page.getByRole('button', { name: 'Delete permanently: Gone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('“Gone” is permanently deleted.').waitFor()
    assert.equal((await service.post(`/api/v1/flows/${ids.get('Gone')}/undelete`)).status, 404)
    await page.getByRole('button', { name: 'Empty the bin' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Empty the bin' }).click()
    await page.getByRole('heading', { name: 'The bin is empty' }).waitFor()
  })

  it('are walked through by keyboard, paused in the editor and resumed, and get another address', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow(flow('Moves 1'))
    await service.createFlow(flow('Moves 2', { slug: 'moves' }))
    await service.run('moves', '{"text":"a"}', { headers: { 'user-agent': 'shop/1.0' } })
    await goTo('/flows?q=moves&order=name')
    await names(page).nth(1).waitFor()
    await names(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await link(page, 'Moves 2').and(hasFocus(page)).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/flows\/[^/]+$/)

    await page.getByRole('button', { name: 'Settings of the flow' }).click()
    await page.getByRole('button', { name: 'Pause…' }).click()
    const pause = page.getByRole('dialog', { name: 'Pause Moves 2' })
    await pause.getByRole('radio', { name: 'Hold them' }).waitFor()
    await assertAccessible(page, DIALOG)
    await pause.getByRole('button', { name: 'Pause' }).click()
    const bar = page.getByRole('region', { name: 'Paused' }).first()
    await bar.getByText(/accepted and held/).waitFor()
    const run = await service.start('moves', '{"text":"a"}')
    await bar.getByText(/1 run is held now/).waitFor()
    await assertAccessible(page, '[aria-label="Paused"]')
    await bar.getByRole('button', { name: 'Resume' }).click()
    await page.getByText(/“Moves 2” is resumed\. The held run starts now/).waitFor()
    assert.equal((await service.waitForRun(run)).status, 'succeeded')
    await bar.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Change the address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Address of Moves 2' })
    await dialog.getByText(/shop\/1\.0/).waitFor()
    await dialog.getByLabel('Slug').fill('moved')
    await dialog.getByText(`${service.address}/api/v1/webhook/moved`).waitFor()
    // Nothing that is typed is live.
    assert.equal((await service.webhook('moved')).status, 404)
    await assertAccessible(page, '[role=dialog]')
    await dialog.getByRole('button', { name: 'Change the address' }).click()
    await page.getByText('The address is now moved. moves still works.').waitFor()
    for (const slug of ['moves', 'moved']) {
      assert.equal((await service.run(slug, '{"text":"a"}')).status, 'succeeded')
    }
    await page.getByText('One old address still works.').waitFor()
    await page.getByRole('button', { name: 'Change the address' }).click()
    await dialog.getByText(/called once, last/).waitFor()
    await dialog.getByRole('button', { name: 'Remove moves' }).click()
    await dialog.getByRole('button', { name: 'Callers get 404: remove moves' }).click()
    await page.getByText('moves is no longer an address of this flow.').waitFor()
    assert.equal((await service.webhook('moves')).status, 404)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })
})

describe('a list of no flows', () => {
  // Last: it leaves none of the others.
  it('invites to make one', async (t) => {
    const { service, page, goTo } = await shared(t)
    const { flows } = (await service.get('/api/v1/flows')).json<{ flows: { id: string }[] }>()
    for (const { id } of flows) await service.request('DELETE', `/api/v1/flows/${id}`)
    await goTo('/flows')
    await page.getByRole('button', { name: 'Create the first flow' }).click()
    await page.getByRole('dialog', { name: 'New flow' }).waitFor()
  })
})
