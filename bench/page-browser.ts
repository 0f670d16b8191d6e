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
  const page = await newPage(browser, service)
  page.on('response', onResponse)
  await page.goto(service.url + path)
  return page
}

/** The same at the end of a slow line: 50 kB a second, 100 ms there and back. Nothing is opened yet. */
export async function slowPage(browser: Browser, service: Service): Promise<Page> {
  const page = await newPage(browser, service)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000
  })
  return page
}

async function newPage(browser: Browser, service: Service): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const answer = await context.request.post(`${service.url}/api/v1/session`, { data: { api_key: API_KEY } })
  if (!answer.ok()) throw new Error(`signing in was answered ${answer.status()}`)
  return context.newPage()
}

/** The processes of a browser. One more comes with every window. */
export async function processesOf(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.map(({ id }) => id)
}
