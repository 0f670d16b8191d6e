import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { DESKTOP, PHONE, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { chatFlow } from '../support/documents.ts'
import { type Service, startService } from '../support/service.ts'
import { goTo, sharedPage } from '../support/shared-page.ts'

const browser = testBrowser()
const shared = sharedPage(browser)

describe('the shell', () => {
  it('leads to every page by links and by keys, but not while somebody types, and marks where one is', async (t) => {
    const { page, goTo } = await shared(t)
    // Where every test that shares a page begins.
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('link', { name: 'Go to the flows' }).click()
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
    for (const place of ['Runs', 'Contexts', 'Keys', 'Settings', 'Flows']) {
      await page.getByRole('navigation').getByRole('link', { name: place, exact: true }).click()
      await page.getByRole('heading', { name: place, level: 1 }).waitFor()
      await page.waitForFunction((title) => document.title === title, `${place} · Millrace`)
      const current = page.getByRole('navigation').locator('[aria-current=page]')
      await comesTo(page, async () => (await current.allTextContents()).map((text) => text.trim()), [place])
    }
    await page.getByLabel('Search flows').fill('')
    await page.getByLabel('Search flows').press('g')
    await page.getByLabel('Search flows').press('k')
    await comesTo(page, () => page.getByLabel('Search flows').inputValue(), 'gk')
    await page.locator('main').focus()
    // Sent together: a sequence that takes longer than a second is none.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('k')])
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()

    t.after(() => page.setViewportSize(DESKTOP))
    await page.setViewportSize(PHONE)
    await goTo('/flows')
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
    const box = (await page.getByRole('navigation').boundingBox())!
    assert.equal(box.width, PHONE.width)
    assert.equal(Math.round(box.y + box.height), PHONE.height)
    assert.ok(box.height < 80)
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  })

  it('says so where an address leads to nothing', async (t) => {
    const { page, goTo } = await shared(t)
    await goTo('/runs/01900000-0000-7000-8000-000000000000')
    await page.getByRole('heading', { name: 'No such run' }).waitFor()
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
    await goTo('/flows/absent/playground')
    await page.getByRole('heading', { name: 'No such flow' }).waitFor()
    await page.getByRole('link', { name: 'All flows' }).click()
    await page.waitForURL('**/flows')
    await goTo('/flows/nowhere/runs')
    await page.getByRole('heading', { name: 'No such flow' }).waitFor()
    await goTo('/contexts?context=%2Fgone')
    await page.getByRole('heading', { name: 'There is no context /gone' }).waitFor()
    await page.getByRole('button', { name: 'Show the root' }).click()
    await page.getByRole('heading', { name: '/', exact: true }).waitFor()
  })

  it('finds commands and flows in the palette, and lists the shortcuts that work here', async (t) => {
    const { page, goTo } = await shared(t)
    const search = page.getByLabel('Search commands', { exact: true }).and(page.locator('input'))
    const found = (name: string) => page.getByRole('dialog', { name: 'Commands' }).getByText(name)
    await goTo('/flows')
    await page.getByRole('button', { name: 'New flow' }).waitFor()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('New flow').waitFor()
    await sheet.getByText('Search commands').waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await goTo('/runs')
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    await page.keyboard.press('?')
    await sheet.getByText('Choose the run', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('navigation').getByRole('link', { name: 'Flows', exact: true }).click()
    await page.getByRole('link', { name: 'Orders', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await search.fill('new fl')
    await found('New flow').waitFor()
    await search.press('Enter')
    await page.getByRole('dialog', { name: 'New flow' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'New flow' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await search.fill('orders')
    await page.getByRole('dialog', { name: 'Commands' }).getByText('Orders', { exact: true }).waitFor()
    await search.press('Enter')
    await page.waitForURL(/\/flows\/[^/]+$/)
  })

  it('lets a keyboard skip the navigation, and loads itself anew where a newer page has taken its place', async (t) => {
    const service = await startService(t)
    const page = await browser.open(t, service, { fresh: true })
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('#main:focus').waitFor()
    // A part is gone.
    let refused = 0
    await page.route('**/assets/keys-page-*', (route) => {
      refused += 1
      return refused === 1 ? route.fulfill({ status: 404 }) : route.continue()
    })
    await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('button', { name: 'New key' }).waitFor()
    assert.ok(refused > 1)
  })
})

/** A service, and what starts it again at its address: one that other tests have had, for which a browser has the code. */
async function startTwice(t: TestContext): Promise<{ first: Service; again: () => Promise<Service> }> {
  const first = await startService(t)
  const env = { PORT: new URL(first.address).port }
  return { first, again: () => startService(t, { home: first.home, env }) }
}

describe('the offline bar', () => {
  it('shows that the service is gone, and goes when it is back, with what changed meanwhile', async (t) => {
    const { first, again } = await startTwice(t)
    const flow = await first.createFlow(chatFlow())
    const page = await browser.open(t, first)
    const bar = page.getByText('Millrace cannot be reached. What you see')
    await page.getByRole('link', { name: 'Orders', exact: true }).waitFor()
    await first.stop()
    await bar.waitFor()
    assert.ok(
      await page.getByRole('link', { name: 'Orders', exact: true }).isVisible(),
      'what was seen stays'
    )
    const second = await again()
    await second.createFlow({ name: 'Made meanwhile', nodes: [] })
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Made meanwhile', exact: true }).waitFor()

    // It goes together with the note on a message that could not be sent.
    await goTo(page, `/flows/${flow.id}/playground`)
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('hello')
    // Else the log could not be read either, and says so too.
    await page.getByText('Nothing here yet').waitFor()
    await second.stop()
    await bar.waitFor()
    await field.press('Enter')
    await page.getByRole('alert').getByText('Millrace cannot be reached').waitFor()
    const third = await again()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await field.press('Enter')
    await page.getByRole('log').getByText('You said: hello').waitFor()

    // It is there for a page that is opened while the service is gone, and that page comes by itself too.
    await third.stop()
    await bar.waitFor()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { name: 'Millrace cannot be reached' }).waitFor()
    await again()
    await page.getByText('MILLRACE_API_KEY').waitFor()
  })
})
