import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DESKTOP, DIALOG, PHONE, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { flowIn, makeContext } from '../support/contexts.ts'
import { startService } from '../support/service.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), async (file) => {
  const service = await startService(file, { plugins: ['company.ts'] })
  await makeContext(service, '/sales/trial', { variables: { region: 'eu', list: [1, 2] } })
  await service.createFlow(flowIn('/sales/trial'))
  return service
})

async function openTrial(t: TestContext): Promise<Page> {
  const { page, goTo } = await shared(t)
  await goTo('/contexts?context=%2Fsales%2Ftrial')
  await page.getByRole('treeitem', { name: /^trial/ }).waitFor()
  return page
}

async function explain(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Hidden from/ }).click()
  await page.getByRole('button', { name: 'Why is of-eu hidden?' }).click()
  await page.getByRole('region', { name: 'Explanation' }).waitFor()
}

/** As somebody does: the router warns of whoever goes elsewhere by the address where it could have to ask first. */
async function leaveSettings(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Visible here' }).click()
  await page.getByRole('tab', { name: 'Visible here', selected: true }).waitFor()
}

describe('contexts are for everyone:', () => {
  it('axe finds nothing, in both themes, on any tab and in the dialogs, all of it reached by keyboard', async (t) => {
    const page = await openTrial(t)
    await page.getByRole('tab', { name: 'Visible here' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('list', { name: 'Flows in /sales/trial' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    const field = page.getByRole('combobox', { name: 'visible in' })
    await field.focus()
    await page.keyboard.insertText('of-e')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Explanation' }).getByText('Hidden', { exact: true }).waitFor()
    await explain(page)
    await assertAccessible(page)
    await page.getByRole('tab', { name: 'Flows (1)' }).click()
    await assertAccessible(page, 'main')
    await page.getByRole('tab', { name: 'Variables and settings' }).click()
    await page.getByRole('textbox', { name: 'Name' }).first().fill('not good')
    await assertAccessible(page, 'main')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Rename or move' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
    await assertAccessible(page, DIALOG)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await leaveSettings(page)
  })

  it('on a phone nothing scrolls sideways, and all of it is there', async (t) => {
    const page = await openTrial(t)
    t.after(() => page.setViewportSize(DESKTOP))
    await page.setViewportSize(PHONE)
    const overflow = () => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
    await explain(page)
    assert.ok((await overflow()) <= 0, 'what is visible')
    await assertAccessible(page, SEEN_PAGE)
    await page.getByRole('tab', { name: 'Variables and settings' }).click()
    await page.getByRole('textbox', { name: 'Value' }).first().waitFor()
    assert.ok((await overflow()) <= 0, 'variables and settings')
    await page.getByRole('treeitem', { name: /^support/ }).click()
    await page.getByRole('heading', { name: '/support', exact: true }).waitFor()
    await leaveSettings(page)
  })
})
