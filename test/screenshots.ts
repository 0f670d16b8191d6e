import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { chromium, type Page } from 'playwright-core'
import { ensurePage } from '../scripts/build-page.mjs'
import { ensureBrowser, findBrowser } from '../scripts/install-browser.mjs'
import { readConfig } from '../src/config.ts'
import { createRuntime } from '../src/runtime.ts'
import { GALLERY } from '../web/src/pages/flows/templates/gallery.ts'

/**
 * `npm run screenshots`: takes the pictures of the README from a service of its own with a few flows and runs, so that
 * they show what is there now.
 */
const KEY = 'screenshot-key-0123456789'
const OUT = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']

type Api = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>

export async function main(): Promise<void> {
  await ensureBrowser()
  if (!(await ensurePage())) throw new Error('The page could not be built.')
  const home = await mkdtemp(join(tmpdir(), 'millrace-screenshots-'))
  const env = { PORT: '0', MILLRACE_HOME: home, MILLRACE_API_KEY: KEY }
  const config = readConfig(env, () => '')
  const runtime = await createRuntime({
    config,
    log: pino({ level: 'silent' }),
    version: '0.1.0',
    folder: home
  })
  const { address } = await runtime.start()
  try {
    const { flow, failed } = await fill(apiAt(address))
    await takeAll(address, { flow, failed })
  } finally {
    await runtime.stop()
    await rm(home, { recursive: true })
  }
}

function apiAt(address: string): Api {
  return async (method, path, body) => {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
    const answer = await fetch(address + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json() as Promise<Record<string, never>>
  }
}

/** Flows of the gallery, each with a few runs; one run fails, since that is what a run's page is for. */
async function fill(api: Api): Promise<{ flow: string; failed: string }> {
  let flow = ''
  let failed = ''
  for (const { id, document, sample } of GALLERY) {
    const made = await api('POST', '/api/v1/flows', document)
    for (let n = 0; n < 6; n++) await api('POST', `/api/v1/run/${made.id}`, { input: sample })
    if (id !== 'shop-order') continue
    flow = made.id!
    failed = (await api('POST', `/api/v1/run/${flow}`, { input: { order: 1043 } })).id!
    await api('POST', `/api/v1/run/${flow}`, { input: sample })
  }
  return { flow, failed }
}

async function takeAll(address: string, { flow, failed }: { flow: string; failed: string }): Promise<void> {
  const browser = await chromium.launch({ executablePath: findBrowser()!, args: FLAGS })
  try {
    for (const theme of ['light', 'dark'] as const) {
      const viewport = { width: 1440, height: 900 }
      const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
      await context.request.post(`${address}/api/v1/session`, { data: { api_key: KEY } })
      const page = await context.newPage()
      const take = (name: string, path: string, sign: string) =>
        shoot(page, { url: address + path, sign, file: join(OUT, `${name}-${theme}.png`) })
      await take('canvas', `/flows/${flow}`, '[data-canvas] [data-node]')
      await take('flows', '/flows', '[data-flow-link]')
      await take('runs', '/runs', 'text=Succeeded')
      await take('run', `/runs/${failed}`, 'text=Show the node on the canvas')
      await take('playground', `/flows/${flow}/playground`, 'text=Desk lamp')
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

async function shoot(
  page: Page,
  { url, sign, file }: { url: string; sign: string; file: string }
): Promise<void> {
  await page.goto(url)
  await page.locator(sign).first().waitFor()
  await page.waitForLoadState('load')
  // Until what is drawn after the data came is drawn too.
  await page.evaluate('new Promise((done) => setTimeout(done, 1500))')
  await page.screenshot({ path: file })
}
