import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { launchBrowser } from '../support/browser.ts'
import { BrowserWindows } from '../support/browser-windows.ts'
import { startService } from '../support/service.ts'

describe('a window that is used again', () => {
  const windows = new BrowserWindows(launchBrowser)
  after(() => windows.close())

  it('has nothing left of whoever had it before', async (t) => {
    const service = await startService(t)
    const first = await windows.take(service.address)
    const { page, context } = first
    const heard: string[] = []
    page.on('request', (request) => heard.push(request.url()))
    await page.route('**/livez?*', (route) => route.abort())
    await page.goto(`${service.address}/sign-in`)
    await page.evaluate(
      "localStorage.left = 'local', sessionStorage.left = 'session', document.cookie = 'left=1'"
    )
    const popup = context.waitForEvent('page')
    await page.evaluate("void open('/livez')")
    await popup
    await windows.giveBack(first)
    const again = await windows.take(service.address)
    assert.equal(again.page, page)
    heard.length = 0
    await page.goto(`${service.address}/livez?`)
    assert.deepEqual(
      await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie, history.length]'),
      [0, 0, '', 2]
    )
    assert.deepEqual([heard, await context.cookies(), context.pages().length], [[], [], 1])
    await windows.giveBack(again)
  })

  it('is not one that was changed for good', async (t) => {
    const service = await startService(t)
    const changed = await windows.take(service.address)
    await changed.page.addInitScript('window.left = true')
    await changed.page.goto(`${service.address}/livez`)
    await windows.giveBack(changed)
    const other = await windows.take(service.address)
    assert.notEqual(other.page, changed.page)
    await windows.giveBack(other)
  })

  it('stays with its address, and few are kept', async (t) => {
    const [one, two] = [await startService(t), await startService(t)]
    const taken = await Promise.all(Array.from({ length: 6 }, () => windows.take(two.address)))
    for (const { page } of taken) await page.goto(`${two.address}/livez`)
    for (const window of taken) await windows.giveBack(window)
    assert.deepEqual(
      taken.map(({ page }) => page.isClosed()),
      [true, true, false, false, false, false]
    )
    const last = taken.at(-1)!
    assert.notEqual((await windows.take(one.address)).page, last.page)
    assert.equal((await windows.take(two.address)).page, last.page)
  })

  it('is not one of a Chromium that has ended: the error has its last words, and another one is started', async (t) => {
    const service = await startService(t)
    const lost = await windows.take(service.address)
    await lost.page.goto(`${service.address}/livez`)
    const browser = lost.context.browser()!
    const gone = new Promise((resolve) => browser.once('disconnected', resolve))
    const session = await browser.newBrowserCDPSession()
    const told = session.send('Browser.crash').catch((error: unknown) => String(error))
    await gone
    assert.match(String(await told), /closed\nBrowser logs:\n.*chromium/s)
    const { page } = await windows.take(service.address)
    await page.goto(`${service.address}/livez`)
  })
})
