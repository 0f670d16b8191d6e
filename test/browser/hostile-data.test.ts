import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ordersFlow } from '../support/documents.ts'
import { Editor } from '../support/editor.ts'
import { pageOfProcess } from '../support/shared-page.ts'

const openPage = pageOfProcess()

describe('a draft that a program left', () => {
  it('is drawn, whatever its members hold, with parts that are beyond any canvas brought back to it', async (t) => {
    const { service, page, goTo } = await openPage(t)
    const flow = await service.createFlow(ordersFlow())
    const odd = { x: { y: 1 } }
    const place = { position: { x: 0, y: 0 } }
    const nodes = [
      { id: 'a', type: 'constructor', title: odd, fields: {}, ...place },
      { id: 'b', type: '__proto__', title: 7, fields: {}, parent: 'b', ...place },
      { id: 'c', type: 'parser', fields: { template: odd, mode: [odd] }, disabled: odd, position: null },
      { id: 'd', type: 'for-each', fields: { list: odd }, parent: 'e', collapsed: odd, size: 'x', ...place },
      { id: 'e', type: 'for-each', fields: {}, parent: 'd', retry: 'x', ...place },
      { id: 'f', type: 'webhook', fields: { auth: '__proto__', rate_limit: odd }, on_error: odd, ...place },
      { id: 'g', type: 'approve', fields: { question: odd, choices: odd }, ...place },
      { id: 'h', type: 'switch', fields: { cases: 'x', rules: [null, odd, 7] }, ...place },
      { id: 'i', type: 'schedule', fields: { cron: odd, timezone: 7 }, ...place },
      { id: 'j', type: 'send-email', fields: { to: odd, html: 7, attachments: 'x' }, ...place },
      { id: 'k', type: 'parser', fields: {}, position: { x: 1e308, y: -1e308 } }
    ]
    const notes = [
      { id: 'n', text: 'x', colour: odd, nodes: 'a', ...place },
      { id: 'm', text: 'y', size: null, nodes: [odd, 'a', 7], ...place }
    ]
    const edges = [
      { from: 'a', to: '.' },
      { from: '__proto__.x', to: 'constructor.y' },
      { from: 'a.a', to: 'a.a' }
    ]
    const document = {
      name: odd,
      tags: odd,
      description: 7,
      nodes,
      edges,
      notes,
      base_version: 1,
      revision: 0
    }
    const saved = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, {
      body: Buffer.from(JSON.stringify(document)),
      headers: { 'content-type': 'application/json' }
    })
    assert.equal(saved.status, 200, saved.text)
    await goTo(`/flows/${flow.id}`)
    const editor = new Editor(page, service, flow)
    await editor.settled()
    for (const { id } of nodes) {
      await page.locator(`[data-canvas] [data-node="${id}"]`).first().dispatchEvent('click')
      await page.waitForFunction('document.querySelector("[data-canvas]") !== null')
    }
    assert.equal(await page.getByText('went wrong').count(), 0)
  })
})

describe('rows that a sender sent', () => {
  it('are a table of some columns, however many names they have', async (t) => {
    const { service, page, goTo } = await openPage(t)
    const flow = await service.createFlow(ordersFlow())
    const rows = Array.from({ length: 100 }, (_row, row) =>
      Object.fromEntries(Array.from({ length: 300 }, (_column, column) => [`k${row}-${column}`, column]))
    )
    const run = await service.start(flow.slug, JSON.stringify(rows))
    await goTo(`/runs/${run}`)
    await page.getByText('Table', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Show more columns (29950 left)' }).waitFor()
    assert.equal(await page.locator('thead th').count(), 50)
  })
})
