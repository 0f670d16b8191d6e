import { type Browser, chromium, type Page, type Response } from 'playwright-core'
import { browserFlags, findBrowser } from '../scripts/install-browser.mjs'
import { API_KEY, type Service } from './service-process.ts'

/** A Chromium of the size of a desk, for figures of the page. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === undefined) {
    throw new Error(
      'there is no Chromium: install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM'
    )
  }
  return chromium.launch({ executablePath, args: browserFlags })
}

/** A window that is signed in to the service, and has nothing of the page yet. */
export async function openPage(
  browser: Browser,
  service: Service,
  path: string,
  onResponse: (response: Response) => void = () => {}
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const answer = await context.request.post(`${service.url}/api/v1/session`, { data: { api_key: API_KEY } })
  if (!answer.ok()) throw new Error(`signing in was answered ${answer.status()}`)
  const page = await context.newPage()
  page.on('response', onResponse)
  await page.goto(service.url + path)
  return page
}

/** The processes of a browser. One more comes with every window. */
export async function processesOf(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.map(({ id }) => id)
}
