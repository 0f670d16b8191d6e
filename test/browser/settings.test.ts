import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { sharedPage } from '../support/shared-page.ts'

const browser = testBrowser()
const shared = sharedPage(browser)

const themeOf = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme')
const groundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

describe('the theme', () => {
  it('follows the system until one is chosen, and is kept, also before the page is drawn: nothing flashes', async (t) => {
    const { service } = await shared(t)
    const page = await browser.open(t, service, { path: '/settings', theme: 'dark', fresh: true })
    await page.getByText('Theme').waitFor()
    assert.equal(await themeOf(page), 'dark')
    const dark = await groundOf(page)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
    assert.notEqual(await groundOf(page), dark)

    await page.getByText('Dark', { exact: true }).click()
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
    // Without the script of the page all that can set the theme is what runs before it.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload({ waitUntil: 'domcontentloaded' })
    assert.equal(await themeOf(page), 'dark')
    // The document may be here before its style sheet, without which nothing is drawn.
    await comesTo(page, () => groundOf(page), 'rgb(16, 22, 26)')
    await page.unrouteAll()
    await page.reload()
    await page.getByText('Theme').waitFor()
    assert.equal(await themeOf(page), 'dark')
  })
})

describe('about', () => {
  it('tells version, store and health', async (t) => {
    const { service, page, goTo } = await shared(t)
    await goTo('/settings')
    await page.getByText('Millrace 0.0.0-test').waitFor()
    await page.getByText('Embedded (SQLite)').first().waitFor()
    await page.getByText('30 days').waitFor()
    await page.getByText('Ready', { exact: true }).waitFor()
    await page.getByText(`Node ${process.versions.node}`).waitFor()
    assert.equal(
      await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href'),
      `${service.address}/api/v1/openapi.json`
    )
  })

  it('tells who is signed in, and what that key may do', async (t) => {
    const { service } = await shared(t)
    const { key } = await service.createKey({ name: 'Ann at the desk', rights: ['read', 'trigger'] })
    const page = await browser.open(t, service, { path: '/settings', key })
    await page.getByText('Ann at the desk').waitFor()
    await page.getByText(/^(?:read, trigger|trigger, read)$/).waitFor()
  })
})
