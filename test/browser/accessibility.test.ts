import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DESKTOP, DIALOG, MENU, PHONE, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { sharedPage } from '../support/shared-page.ts'

const browser = testBrowser()
const shared = sharedPage(browser)

/** Every page that stands alone, and what tells that it is there. */
const PAGES: readonly { readonly path: string; readonly ready: (page: Page) => Promise<void> }[] = [
  { path: '/flows', ready: (page) => page.getByRole('link', { name: 'Orders', exact: true }).waitFor() },
  { path: '/keys', ready: (page) => page.getByText('Set by the configuration').waitFor() },
  { path: '/connections', ready: (page) => page.getByText('No connections yet').waitFor() },
  { path: '/knowledge', ready: (page) => page.getByText('No collections yet').waitFor() },
  { path: '/usage', ready: (page) => page.getByText('No model has been asked yet').waitFor() },
  { path: '/settings', ready: (page) => page.getByText('Ready', { exact: true }).waitFor() },
  { path: '/help/senders', ready: (page) => page.getByText('How a sender proves itself').first().waitFor() },
  { path: '/help/api/saveDraft', ready: (page) => page.getByRole('heading', { name: 'Try it' }).waitFor() },
  { path: '/no/such/page', ready: (page) => page.getByText('There is no such page').waitFor() }
]

describe('axe finds nothing, in both themes,', () => {
  for (const [size, viewport] of [
    ['at a desk', DESKTOP],
    ['on a phone', PHONE]
  ] as const) {
    it(`on ${PAGES.map(({ path }) => path).join(', ')} ${size}`, async (t) => {
      const { service, page, goTo } = await shared(t)
      await page.setViewportSize(viewport)
      await service.run('orders', '{}')
      for (const { path, ready } of PAGES) {
        await goTo(path)
        await ready(page)
        await assertAccessible(page, viewport === DESKTOP ? 'html' : SEEN_PAGE)
      }
    })
  }

  it('on a collection that is made, filled with documents, searched and emptied', async (t) => {
    const { page, goTo } = await shared(t)
    await page.setViewportSize(DESKTOP)
    await goTo('/knowledge')
    await page.getByRole('button', { name: 'New collection' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('manual')
    await page.getByRole('button', { name: 'Make collection' }).click()
    await page.getByText('No texts yet').waitFor()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload documents' }).click()
    const files = ['pump.txt', 'valve.md'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(`The ${name.split('.')[0]} is cleaned twice a year.\n\nTurn it off first.`)
    }))
    await (await chooser).setFiles(files)
    const texts = page.getByRole('list', { name: 'Texts' })
    await texts.getByRole('button', { name: 'valve.md' }).waitFor()
    await page.getByRole('textbox', { name: 'Question or words' }).fill('pump')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'What was found' }).getByText('pump.txt').waitFor()
    await texts.getByRole('button', { name: 'pump.txt' }).click()
    await page.getByRole('list', { name: 'Pieces of pump.txt' }).getByText('Turn it off first').waitFor()
    await assertAccessible(page)
    await page.setViewportSize(PHONE)
    await assertAccessible(page, SEEN_PAGE)
    await texts.getByRole('button', { name: 'Delete' }).first().click()
    await page.getByRole('button', { name: 'Delete text' }).click()
    await texts.getByRole('button', { name: 'pump.txt' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
    await page.getByRole('button', { name: 'Delete collection' }).click()
    await page.getByText('No collections yet').waitFor()
  })

  it('on the sign-in, with a refusal', async (t) => {
    const service = await startService(t)
    const page = await browser.open(t, service, { key: null, path: '/sign-in?reason=used' })
    await page.getByLabel('API key').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('No such key, or it has expired.').waitFor()
    await assertAccessible(page)
    // As a colour does that was written with light ones in mind only.
    await page.getByText('No such key').evaluate((text) => {
      text.style.color = '#767676'
    })
    await assert.rejects(
      () => assertAccessible(page, SEEN_PAGE),
      /in dark colours, a contrast of 3\.\d+ only/
    )
  })

  it('in the dialogs of flows and keys, in menus, in the palette and in the sheet of shortcuts', async (t) => {
    const { page, goTo } = await shared(t)
    await page.setViewportSize(DESKTOP)
    await goTo('/flows')
    await page.getByRole('button', { name: 'New flow' }).click()
    await page.getByRole('radio', { name: /^Survey answer/ }).click()
    await assertAccessible(page, DIALOG)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for Orders' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    await assertAccessible(page, MENU)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to').waitFor()
    // What was found is marked in the first of them, which is the chosen one.
    await page.keyboard.insertText('flow')
    await page.locator('[data-selected] mark').first().waitFor()
    await assertAccessible(page, DIALOG)
    await page.keyboard.press('Escape')
    await page.getByPlaceholder('Go to').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await assertAccessible(page, DIALOG)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await goTo('/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Desk')
    await assertAccessible(page, DIALOG)
    await page.keyboard.press('Enter')
    await page.getByTestId('new-key').waitFor()
    await assertAccessible(page, DIALOG)
  })
})
