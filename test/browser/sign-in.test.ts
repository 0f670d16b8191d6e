import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'

describe('the way in', () => {
  const browser = testBrowser()

  it('is the link that the first start prints, once', async (t) => {
    const service = await startService(t, { env: { MILLRACE_API_KEY: '' } })
    const path = `/sign-in?token=${service.signInToken}`
    const page = await browser.open(t, service, { key: null, path })
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
    assert.ok(!page.url().includes('token'), 'the token stays out of the address and the history')
    await page.context().clearCookies()
    await page.goto(service.address + path)
    await page.getByText('This sign-in link has already been used').waitFor()
  })

  it('is an API key, else, and leads to the page that was asked for; and there is a way out', async (t) => {
    const service = await startService(t)
    const page = await browser.open(t, service, { key: null, path: '/settings' })
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('API key').and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('no-such-key')
    await page.keyboard.press('Enter')
    await page.getByText('No such key, or it has expired.').waitFor()
    await page.getByLabel('API key').fill(` ${service.key} `)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/settings')
    await assertNoKeyIn(page, service.key)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Millrace' }).waitFor()
    assert.deepEqual(await page.context().cookies(), [])
    await page.goto(`${service.address}/flows`)
    await page.getByRole('heading', { name: 'Sign in to Millrace' }).waitFor()

    // It closes by itself when the key is revoked, and says why.
    const { id, key } = await service.createKey({ rights: ['read'] })
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
    await service.request('DELETE', `/api/v1/keys/${id}`)
    await page.getByText('Your session has ended, or its key was revoked.').waitFor()
  })
})

/** Nothing but a cookie that scripts and other sites cannot use. */
async function assertNoKeyIn(page: Page, key: string): Promise<void> {
  const cookies = await page.context().cookies()
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
    [{ httpOnly: true, sameSite: 'Strict' }]
  )
  const kept = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])
  )
  assert.ok(!kept.includes(key))
  assert.ok(!JSON.stringify(cookies).includes(key))
}

describe("the page's policy", () => {
  it('runs no script but its own files, and the document holds none', async (t) => {
    const service = await startService(t)
    const answer = await service.get('/', { headers: { accept: 'text/html' } })
    const policy = answer.headers.get('content-security-policy')!
    assert.match(policy, /script-src 'self'(?:;|$)/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    assert.doesNotMatch(answer.text, /<script(?![^>]*\bsrc=)/)
    assert.doesNotMatch(answer.text, /\son\w+=|\sstyle=/)
  })
})
