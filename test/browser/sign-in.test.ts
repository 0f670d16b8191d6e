import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { spawnService } from '../support/child-service.ts'
import { startService } from '../support/service.ts'

describe('the way in', () => {
  const browser = testBrowser()

  it('is the link that the first start prints, once', async (t) => {
    const child = await spawnService(t)
    await child.ready()
    const [link] = /https?:\/\/\S+\/sign-in\?token=\S+/.exec(child.stdout)!
    const service = await child.client(/^API key: (\S+)$/m.exec(child.stdout)![1]!)
    const page = await browser.open(t, service, { key: null })
    await page.goto(link)
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
    assert.ok(!page.url().includes('token'), 'the token stays out of the address and the history')

    const other = await browser.open(t, service, { key: null })
    await other.goto(link)
    await other.getByText('This sign-in link has already been used').waitFor()
  })

  it('is an API key, else', async (t) => {
    const service = await startService(t)
    const page = await browser.open(t, service, { key: null })
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('API key').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('no-such-key')
    await page.keyboard.press('Enter')
    await page.getByText('No such key, or it has expired.').waitFor()
    await page.getByLabel('API key').fill(` ${service.key} `)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
  })

  it('leaves a cookie that scripts and other sites cannot use, and no key in the browser', async (t) => {
    const service = await startService(t)
    const page = await browser.open(t, service, { key: null })
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
    const cookies = await page.context().cookies()
    assert.deepEqual(
      cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
      [{ httpOnly: true, sameSite: 'Strict' }]
    )
    const kept = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])
    )
    assert.ok(!kept.includes(service.key))
    assert.ok(!JSON.stringify(cookies).includes(service.key))
  })

  it('goes on to the page that was asked for', async (t) => {
    const service = await startService(t)
    const page = await browser.open(t, service, { key: null, path: '/keys' })
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/keys')
  })

  it('closes by itself when the key is revoked, and says why', async (t) => {
    const service = await startService(t)
    const { id, key } = await service.createKey({ rights: ['read'] })
    const page = await browser.open(t, service, { key })
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
    await service.request('DELETE', `/api/v1/keys/${id}`)
    await page.getByText('Your session has ended, or its key was revoked.').waitFor()
  })

  it('has a way out', async (t) => {
    const service = await startService(t)
    const page = await browser.open(t, service, { path: '/settings' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Millrace' }).waitFor()
    assert.deepEqual(await page.context().cookies(), [])
    await page.goto(`${service.address}/flows`)
    await page.getByRole('heading', { name: 'Sign in to Millrace' }).waitFor()
  })
})

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
