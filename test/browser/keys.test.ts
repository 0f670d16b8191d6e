import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DESKTOP, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { makePhone, sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser())
const ORDER = '{"order_id":7,"customer":"Ann"}'

describe('keys', () => {
  it('are made, shown once, limited to a flow, and seen in use', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.createFlow({ name: 'Other', nodes: [{ id: 'w', type: 'webhook' }] })
    await goTo('/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop')
    const reach = page.getByRole('radiogroup', { name: 'Reaches' })
    assert.ok(await reach.getByRole('radio', { name: 'Everything' }).isChecked(), 'until it is limited')
    await page.getByText('One flow', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Flow' }).click()
    await page.getByRole('option', { name: 'Orders' }).click()
    await page.getByRole('combobox', { name: 'Valid for' }).click()
    await page.getByRole('option', { name: '30 days' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'The key “Shop”' })
    await dialog.waitFor()
    const key = (await dialog.getByTestId('new-key').textContent())!
    await dialog.getByRole('button', { name: 'Copy the key' }).click()
    await comesTo(page, () => page.evaluate(() => navigator.clipboard.readText()), key)
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'I saved it' }).click()
    await dialog.waitFor({ state: 'detached' })

    const row = page.getByRole('listitem').filter({ hasText: 'Shop' })
    await row.getByRole('link', { name: 'Orders' }).waitFor()
    await row.getByText('in 30 d').waitFor()
    await row.getByText('Never').waitFor()
    assert.ok(!(await page.content()).includes(key), 'the key is gone from the page')

    assert.equal((await service.webhook('orders', ORDER, { key })).status, 202)
    assert.equal((await service.webhook('other', ORDER, { key })).status, 404)
    assert.equal((await service.get('/api/v1/flows', { key })).status, 403)
    await goTo('/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.goBack()
    await row.filter({ hasNotText: 'Never' }).locator('time').nth(2).waitFor()
  })

  it('are made by keyboard alone, revoked after a question, and fit a phone', async (t) => {
    const { service, page, goTo } = await shared(t)
    const { key } = await service.createKey({ name: 'Old sender' })
    await goTo('/keys')
    await page.getByRole('button', { name: 'New key' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('Typed')
    await page.keyboard.press('Enter')
    await page.getByTestId('new-key').waitFor()
    await page.getByRole('button', { name: 'I saved it' }).press('Enter')
    const row = page.getByRole('listitem').filter({ hasText: 'Typed' })
    await row.getByText('Everything', { exact: true }).waitFor()
    await makePhone(t, page)
    assert.equal(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth), 0)
    await page.setViewportSize(DESKTOP)
    await page.getByRole('button', { name: 'Revoke Old sender' }).click()
    const question = page.getByRole('dialog', { name: 'Revoke “Old sender”?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal((await service.webhook('orders', ORDER, { key })).status, 202)
    await page.getByRole('button', { name: 'Revoke Old sender' }).click()
    await question.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('“Old sender” was revoked.').waitFor()
    assert.equal((await service.webhook('orders', ORDER, { key })).status, 401)
    await page.getByRole('button', { name: 'Revoke Old sender' }).waitFor({ state: 'detached' })
  })
})
