import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { makeContext } from '../support/contexts.ts'
import { chatFlow } from '../support/documents.ts'
import { startService } from '../support/service.ts'
import { goTo } from '../support/shared-page.ts'

const browser = testBrowser()

describe('whoever may only read', () => {
  it('is offered nothing else on any page, and told what is missing', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/mine', { variables: { region: 'eu' } })
    const chat = await service.createFlow(chatFlow())
    const run = await service.run('orders', '{}')
    const { key } = await service.createKey({ name: 'Reader', rights: ['read'] })
    const page = await browser.open(t, service, { key })
    const button = (name: string) => page.getByRole('button', { name, exact: true })

    await button('Actions for Orders').click()
    await page.getByRole('menuitem', { name: 'Export the document' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Delete' }).count(), 0)
    assert.equal(await button('New flow').count(), 0)
    await page.keyboard.press('Escape')

    await goTo(page, `/runs/${run.id}`)
    const header = page.locator('header').first()
    await header.getByText('Failed', { exact: true }).waitFor()
    assert.equal(await header.getByRole('button').count(), 0)

    await goTo(page, `/flows/${chat.id}/playground`)
    await page.getByText('This key may read, but not start runs.').waitFor()

    await goTo(page, `/flows/${run.flow_id}`)
    await button('API access').click()
    await page.getByText('Your key lacks the right “admin”, so it cannot create keys.').waitFor()
    assert.ok(await button('Create a key').isDisabled())

    await goTo(page, '/contexts?context=%2Fmine&tab=settings')
    await page.getByText('sign in with a key that has the right “admin”').waitFor()
    assert.ok(await page.getByRole('textbox', { name: 'Value' }).isDisabled())
    assert.equal(await button('New context').count(), 0)
    await page.getByRole('navigation').getByRole('link', { name: 'Keys', exact: true }).click()

    await page.getByRole('heading', { name: 'This key may not manage keys' }).waitFor()
    await page.getByText('You are signed in with “Reader”.').waitFor()

    await goTo(page, '/connections')
    await page.getByRole('heading', { name: 'This key may not manage connections' }).waitFor()
  })
})
