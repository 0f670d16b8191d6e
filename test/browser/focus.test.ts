import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { chatFlow } from '../support/documents.ts'
import { sharedPage } from '../support/shared-page.ts'

const browser = testBrowser()
const shared = sharedPage(browser)

/** By keyboard alone: a button that is clicked has the focus anyway. */
async function press(page: Page, role: 'button' | 'menuitem' | 'link', name: string | RegExp): Promise<void> {
  await page.getByRole(role, { name, exact: true }).first().focus()
  await page.keyboard.press('Enter')
}

/** The name of what has the focus; that of the element alone where it has none of its own. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement!
    if (element.matches('body, main')) return element.localName
    return element.getAttribute('aria-label') ?? element.textContent ?? ''
  })
}

function focusedNode(page: Page): Promise<string | undefined> {
  return page.evaluate(() => (document.activeElement as HTMLElement).dataset.node)
}

describe('the focus', () => {
  it('goes from a row that is deleted to the next, and from a dialog to what opened its menu', async (t) => {
    const { page, goTo, service } = await shared(t)
    for (const name of ['Focus one', 'Focus two', 'Focus three'])
      await service.createFlow({ name, nodes: [] })
    await goTo('/flows?search=Focus')
    await press(page, 'button', 'Actions for Focus two')
    await press(page, 'menuitem', 'Tags')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await comesTo(page, () => focused(page), 'Actions for Focus two')
    // The newest is first.
    await press(page, 'button', 'Actions for Focus two')
    await press(page, 'menuitem', 'Delete')
    await comesTo(page, () => focused(page), 'Choose Focus one')
    await press(page, 'button', 'Actions for Focus one')
    await press(page, 'menuitem', 'Delete')
    await comesTo(page, () => focused(page), 'Choose Orders')
  })

  it('goes from a page that is left to the next one', async (t) => {
    const { page, goTo } = await shared(t)
    await goTo('/flows')
    await press(page, 'link', 'Orders')
    await page.waitForURL(/\/flows\/[^/]+$/)
    await comesTo(page, () => focused(page), 'main')
  })

  it('goes from a panel of the editor to what opened it, and from a node to another', async (t) => {
    const { page, goTo, service } = await shared(t)
    const flow = await service.createFlow(chatFlow())
    await goTo(`/flows/${flow.id}`)
    await press(page, 'button', 'Comments')
    await press(page, 'button', 'Close Comments')
    await comesTo(page, () => focused(page), 'Comments')
    await page.locator('[data-node="chat-input-1"]').click()
    await page.keyboard.press('Delete')
    await comesTo(page, () => focusedNode(page), 'prompt-1')
  })

  it('comes back to a button that was busy', async (t) => {
    const { page, goTo } = await shared(t)
    await goTo('/settings')
    const button = page.getByRole('main').getByRole('button').first()
    await button.focus()
    await button.evaluate((element: HTMLButtonElement) => {
      element.disabled = true
    })
    await comesTo(page, () => focused(page), 'main')
    await button.evaluate((element: HTMLButtonElement) => {
      element.disabled = false
    })
    await comesTo(page, () => button.evaluate((element) => element === document.activeElement), true)
  })

  it('is left alone where somebody has clicked beside everything', async (t) => {
    const { page, goTo, service } = await shared(t)
    const { id } = await service.createFlow({ name: 'Left alone', nodes: [] })
    await goTo('/flows?search=Left')
    const row = page.getByRole('link', { name: 'Left alone', exact: true })
    await row.focus()
    await row.evaluate((element) => element.blur())
    await service.request('DELETE', `/api/v1/flows/${id}`)
    await row.waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'body')
  })
})
