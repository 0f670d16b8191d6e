import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanUp } from '../support/clean-up.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import { pageOfProcess } from '../support/shared-page.ts'

const openPage = pageOfProcess()

/** In the page, before it can draw a frame: what has the focus when the next key comes right after this one. */
const FOCUS_AFTER_KEY = `(() => {
  dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
  return Promise.resolve().then(() => document.activeElement.getAttribute('aria-label'))
})()`

describe('the palette of commands', () => {
  it('takes what is typed right after its key, and gives the focus back', async (t) => {
    const { service, page, goTo } = await openPage(t)
    cleanUp(t, () => page.emulateMedia({ reducedMotion: 'reduce' }))
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await service.createFlow(ordersFlow({ name: 'Where the focus was' }))
    await goTo('/flows')
    const link = page.getByRole('link', { name: 'Where the focus was', exact: true })
    await link.focus()
    assert.equal(await page.evaluate(FOCUS_AFTER_KEY), 'Search commands')
    await page.keyboard.type('zzz')
    await page.getByText('Nothing by that name').waitFor()
    await page.keyboard.press('Escape')
    await link.and(page.locator(':focus')).waitFor()

    await page.keyboard.press('Control+k')
    const search = page.getByRole('textbox', { name: 'Search commands' })
    await comesTo(page, () => search.inputValue(), '')
    await page.keyboard.insertText('new flow')
    await page.locator('[data-selected]', { hasText: 'New flow' }).waitFor()
    await page.keyboard.press('Enter')
    await search.waitFor({ state: 'detached' })
    const name = page.getByRole('dialog', { name: 'New flow' }).getByLabel('Name')
    await name.and(page.locator(':focus')).waitFor()
  })
})
