import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { ordersFlow } from '../support/documents.ts'
import { pageOfProcess } from '../support/shared-page.ts'

const openPage = pageOfProcess()
const focused = (page: Page, text: string) => page.locator(':focus', { hasText: text }).waitFor()

describe('the help in the page', () => {
  it('is found by Ctrl K and by its own search, and its links lead on', async (t) => {
    const { page, goTo } = await openPage(t)
    await goTo('/flows')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search commands' }).fill('handshake')
    await page.getByRole('button', { name: 'Senders: What a sender asks first' }).click()
    await focused(page, 'What a sender asks first')
    assert.equal(await page.title(), 'Senders · Help · Millrace')

    const search = page.getByRole('searchbox', { name: 'Search the help' })
    await search.fill('once is once')
    await page
      .getByRole('link', { name: /^Once is once/ })
      .first()
      .waitFor()
    await search.press('Enter')
    await focused(page, 'Once is once')
    await search.fill('clock')
    await page.getByRole('link', { name: /^Schedule\s*Components/ }).click()
    await page.getByRole('link', { name: 'Read more about it in the guide' }).click()
    await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor()
  })

  it('has the API, where requests are tried with the session, and what changes something is asked about', async (t) => {
    const { service, page, goTo } = await openPage(t)
    const flow = await service.createFlow(ordersFlow({ name: 'Tried from the help' }))
    await goTo('/help/api/readFlow')
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true)
    await page.getByRole('textbox', { name: 'id' }).fill(flow.slug)
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('200 OK').waitFor()
    await answer.getByText('"name": "Tried from the help"').waitFor()

    await goTo('/help/api/pauseFlow')
    // Only this one has a body, and the other one has an id as well.
    await page.getByRole('textbox', { name: 'Body' }).fill('{"mode":"hold"}')
    await page.getByRole('textbox', { name: 'id' }).fill(flow.slug)
    await page.getByRole('button', { name: 'Send' }).click()
    const question = page.getByRole('dialog')
    assert.equal((await service.get(`/api/v1/flows/${flow.id}`)).json<{ paused: unknown }>().paused, null)
    await question.getByRole('button', { name: 'Send' }).click()
    await answer.getByText(/^20\d /).waitFor()
    assert.notEqual((await service.get(`/api/v1/flows/${flow.id}`)).json<{ paused: unknown }>().paused, null)
  })

  it('is where errors, empty places and nodes lead to', async (t) => {
    const { page, goTo } = await openPage(t)
    await goTo('/runs/no-such-run')
    const [help] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: /^What this means/ }).click()
    ])
    await focused(help, 'run_not_found')
    await help.close()
    await goTo('/approvals')
    const more = page.getByRole('link', { name: /^Read more/ })
    assert.match((await more.getAttribute('href'))!, /^help\/waiting#approve$/)
    await goTo('/help/errors#made_up_by_a_plugin')
    await page.getByText('made_up_by_a_plugin is none of these').waitFor()
    await goTo('/help/no-such-page')
    await page.getByText('There is no such page in the help').waitFor()
  })
})
