import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { assertAccessible, PHONE, testBrowser } from '../support/browser.ts'
import { spokenChatFlow } from '../support/chats.ts'
import { startOutside } from '../support/outside.ts'
import { startService } from '../support/service.ts'

const browser = testBrowser()

const HOSTILE =
  '<img src=x onerror="document.title=1"> **bold** [click](javascript:alert(1)) `x`\n\n- https://a.example/b'

it('a visitor talks to a flow on a phone, is told its text as it comes, and finds it again', async (t) => {
  const service = await startService(t, { plugins: ['speak.ts'] })
  const outside = await startOutside(t)
  const flow = await service.createFlow(
    spokenChatFlow(outside.url(), { input: { public: true, welcome: 'Ask me.', origins: ['*'] } })
  )
  const page = await browser.open(t, service, { path: `/chat/${flow.slug}`, key: null, viewport: PHONE })
  await assertAccessible(page)
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Hello')
  await box.press('Enter')
  ;(await outside.next()).answer({ text: 'Good ' })
  await page.getByText('Good').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  ;(await outside.next()).answer({ text: HOSTILE })
  ;(await outside.next()).answer({ isLast: true })
  await page.getByRole('button', { name: 'Send' }).waitFor()
  const said = page.locator('.said').last()
  assert.equal(await said.locator('strong').innerText(), 'bold')
  assert.equal(await said.locator('img').count(), 0)
  assert.deepEqual(await said.locator('a').allInnerTexts(), ['https://a.example/b'])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await assertAccessible(page)
  await page.reload()
  await page.getByText('bold').waitFor()
  await page.getByText('Hello', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'New chat' }).click()
  assert.equal(await page.getByText('Hello', { exact: true }).count(), 0)
  await page.getByText('Ask me.').waitFor()

  const html = `<!doctype html><title>Shop</title><p>Shop</p><script src="${service.address}/chat/${flow.slug}/widget.js" data-label="Ask us" defer></script>`
  const shop = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  t.after(() => shop.close())
  await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`)
  await page.getByRole('button', { name: 'Ask us' }).click()
  const frame = page.frameLocator('iframe[title="Ask us"]')
  await frame.getByRole('textbox', { name: 'Message' }).fill('From the shop')
  await frame.getByRole('button', { name: 'Send' }).click()
  ;(await outside.next()).answer({ text: 'Welcome' })
  ;(await outside.next()).answer({ isLast: true })
  await frame.getByText('Welcome').waitFor()
  await frame.getByRole('textbox', { name: 'Message' }).press('Escape')
  await page.getByRole('button', { name: 'Ask us', expanded: false }).waitFor()
})
