import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { n8nWorkflow } from '../../src/import/n8n/n8n.test-kit.ts'
import { assertAccessible, DIALOG, testBrowser } from '../support/browser.ts'
import { ordersFlow } from '../support/documents.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser())

const SUPPORT = n8nWorkflow(
  'Support mails',
  [
    { name: 'Webhook', type: 'webhook', version: 2, parameters: { path: 'support', httpMethod: 'POST' } },
    {
      name: 'Ask',
      type: 'httpRequest',
      version: 4.2,
      parameters: { url: 'https://crm.example/customers', authentication: 'genericCredentialType' },
      more: { credentials: { httpHeaderAuth: { id: '1', name: 'CRM' } } }
    },
    { name: 'Old CRM', type: 'oldCrmNobodyKnows', parameters: { list: 'a' } },
    { name: 'Nothing', type: 'noOp' }
  ],
  [
    ['Webhook', 'Ask'],
    ['Ask', 'Old CRM'],
    ['Old CRM', 'Nothing']
  ]
)

async function drop(page: Page, name: string, content: string): Promise<void> {
  const dropped = await page.evaluateHandle(
    ([name, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content!], name!, { type: 'application/json' }))
      return transfer
    },
    [name, content]
  )
  await page.locator('main h1').dispatchEvent('drop', { dataTransfer: dropped })
}

/** As somebody does who has copied it elsewhere. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    )
  }, text)
}

describe('a flow of another tool', () => {
  it('is dropped on the list, looked at, and followed from its report to the draft', async (t) => {
    const { service, page, goTo } = await shared(t)
    await goTo('/flows')
    await page.getByRole('button', { name: 'Import' }).waitFor()
    await drop(page, 'support.json', JSON.stringify(SUPPORT))
    const dialog = page.getByRole('dialog', { name: 'Import “support.json”' })
    await dialog.getByText('1 flow of n8n. Nothing is saved yet').waitFor()
    const lost = dialog.getByRole('row').filter({ hasText: 'oldCrmNobodyKnows' })
    await lost.getByText('Placeholder', { exact: true }).last().waitFor()
    assert.deepEqual((await service.get('/api/v1/flows/support-mails')).status, 404)
    await assertAccessible(page, DIALOG)
    const missing = dialog.getByRole('region', { name: 'Missing connections' })
    await missing.getByRole('button', { name: 'Create the connection crm' }).click()
    const form = page.getByRole('dialog', { name: 'New connection' })
    await form.getByLabel('Base URL').fill('https://crm.example')
    await page.keyboard.press('Enter')
    await missing.getByText('Created').waitFor()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save the report' }).click()
    const markdown = await readFile(await (await saved).path(), 'utf8')
    assert.match(markdown, /^# Import of support\.json\n\n1 flow of n8n: /)
    assert.match(markdown, /\| Old CRM \| .*\| Placeholder \|/)
    await dialog.getByRole('button', { name: 'Import as a draft' }).click()
    await dialog.getByText('1 flow of n8n is here as a draft.').waitFor()
    await assertAccessible(page, DIALOG)
    await dialog.getByRole('link', { name: 'Open the flow' }).click()
    await page.locator('[data-canvas]').waitFor()
    await page.getByText('Was Old CRM (oldCrmNobodyKnows) of n8n.').first().click()
    const nearest = page.locator('dd').filter({ hasText: 'an API Request or with Code' })
    await nearest.waitFor()
  })

  it('is pasted on the canvas, and its report opens beside it', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(ordersFlow({ name: 'Where it is pasted' }))
    await goTo(`/flows/${flow.slug}`)
    await page.locator('[data-canvas]').waitFor()
    await paste(page, JSON.stringify({ ...SUPPORT, name: 'Pasted mails' }))
    const panel = page.getByRole('complementary', { name: 'Import' })
    await panel.getByRole('button', { name: 'Import as a draft' }).click()
    await panel.getByRole('link', { name: 'Open the flow' }).click()
    await page.getByText('Pasted mails').first().waitFor()
  })

  it('is refused with the place where its file is broken, or why none came from an address', async (t) => {
    const { page, goTo } = await shared(t)
    await goTo('/flows')
    await page.getByRole('button', { name: 'Import' }).waitFor()
    await paste(page, '{"nodes": [,], "connections": {}}')
    await page.getByText(/Pasted text: .*line 1, column 12/).waitFor()
    await paste(page, ' http://127.0.0.1:1/flows.json ')
    await page.getByText(/No file came from the address/).waitFor()
  })
})
