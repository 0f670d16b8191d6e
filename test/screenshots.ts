import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { chromium, type Page } from 'playwright-core'
import { ensurePage } from '../scripts/build-page.mjs'
import { ensureBrowser, findBrowser } from '../scripts/install-browser.mjs'
import { type Clock, systemClock } from '../src/clock.ts'
import { createRuntime } from '../src/runtime.ts'
import { readConfig } from '../src/startup/config.ts'
import { GALLERY } from '../web/src/pages/flows/templates/gallery.ts'
import { ApiClient } from './support/api-client.ts'
import type { Lifetime } from './support/clean-up.ts'
import { startGalleryCounterparts } from './support/gallery-counterparts.ts'

/**
 * `npm run screenshots`: takes the pictures of the README and the guides from a service of its own with a few flows and
 * runs, so that they show what is there now.
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
  const { clock, set } = pastClock()
  const runtime = await createRuntime({
    config,
    log: pino({ level: 'silent' }),
    version: '0.1.0',
    folder: home,
    clock
  })
  const { address } = await runtime.start()
  /** What is to be ended before the service is. */
  const tasks: (() => unknown)[] = []
  const lifetime = { after: (task: () => unknown) => tasks.push(task) }
  try {
    const { flow, failed } = await fill(apiAt(address), set)
    await takeAll(address, { flow, failed, reaching: await fillReaching(lifetime, address) })
  } finally {
    for (const task of tasks) await task()
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

/** A clock that can be set back, so that a day of runs takes a moment to make. */
function pastClock(): { readonly clock: Clock; readonly set: (msAgo: number) => void } {
  let ago = 0
  const clock = { ...systemClock(), now: () => Date.now() - ago }
  return {
    clock,
    set: (msAgo) => {
      ago = msAgo
    }
  }
}

/** How many runs there were in each half hour of the day, oldest first. */
const DAY = [2, 1, 1, 0, 1, 2, 4, 6, 7, 9, 8, 10, 12, 9, 11, 8, 9, 7, 6, 5, 4, 4, 3, 5]
const HALF_HOUR_MS = 1_800_000
/** One run in so many gets what its flow was not made for. */
const FAILS_EVERY = 19

/** The flows of the gallery with a day of runs; some fail, since that is what the page of a run is for. */
async function fill(api: Api, set: (msAgo: number) => void): Promise<{ flow: string; failed: string }> {
  set(DAY.length * HALF_HOUR_MS)
  const flows: { readonly id: string; readonly sample: unknown }[] = []
  for (const { document, sample } of GALLERY) {
    // Their counterparts are nowhere here.
    if (document.nodes.some(({ fields }) => 'connection' in fields)) continue
    flows.push({ id: (await api('POST', '/api/v1/flows', document)).id!, sample })
  }
  let n = 0
  for (const [slot, count] of DAY.entries()) {
    set((DAY.length - slot) * HALF_HOUR_MS - HALF_HOUR_MS / 2)
    for (let k = 0; k < count; k++, n++) {
      const { id, sample } = flows[n % flows.length]!
      await api('POST', `/api/v1/run/${id}`, { input: n % FAILS_EVERY === 0 ? {} : sample })
    }
  }
  set(90_000)
  const [{ id: flow, sample }] = flows as [(typeof flows)[number]]
  const failed = (await api('POST', `/api/v1/run/${flow}`, { input: { order: 1043 } })).id!
  set(0)
  await api('POST', `/api/v1/run/${flow}`, { input: sample })
  return { flow, failed }
}

/** Those that reach outside, by the name of their picture. */
const REACHING: Readonly<Record<string, string>> = {
  'api-request': 'parcel',
  sql: 'customer-orders',
  'language-model': 'ticket-triage'
}

/** Each with a run of its sample; the ids by the names of the pictures. */
async function fillReaching(lifetime: Lifetime, address: string): Promise<ReadonlyMap<string, string>> {
  const client = new ApiClient(lifetime, address, KEY)
  await startGalleryCounterparts(lifetime, client)
  const ids = new Map<string, string>()
  for (const [picture, id] of Object.entries(REACHING)) {
    const { document, sample } = GALLERY.find((template) => template.id === id)!
    const flow = await client.createFlow({ ...document })
    await client.post(`/api/v1/run/${flow.id}`, { input: sample })
    ids.set(picture, flow.id)
  }
  await giveAddresses(client)
  return ids
}

/** As people have them, in place of those of counterparts that were here for a run. */
const ADDRESSES: Readonly<Record<string, { readonly settings: object; readonly secrets?: object }>> = {
  carrier: { settings: { base_url: 'https://api.carrier.example/v2', auth: 'none' } },
  // A secret is entered again for another address.
  models: { settings: {}, secrets: { api_key: 'the key of the provider' } },
  'shop-database': { settings: { file: '/srv/shop/shop.db', read_only: true } }
}

async function giveAddresses(client: ApiClient): Promise<void> {
  const { connections } = (await client.get('/api/v1/connections')).json<{
    connections: { id: string; name: string; kind: string; context: string }[]
  }>()
  for (const { id, name, kind, context } of connections) {
    const shown = ADDRESSES[name]
    // Counterparts of templates that no picture is of.
    const { status, text } =
      shown === undefined
        ? await client.request('DELETE', `/api/v1/connections/${id}`)
        : await client.request('PUT', `/api/v1/connections/${id}`, {
            body: { name, kind, context, ...shown }
          })
    if (status >= 400) throw new Error(`The connection ${name} was not changed: ${text}`)
  }
}

interface Shown {
  readonly flow: string
  readonly failed: string
  readonly reaching: ReadonlyMap<string, string>
}

async function takeAll(address: string, { flow, failed, reaching }: Shown): Promise<void> {
  const browser = await chromium.launch({ executablePath: findBrowser()!, args: FLAGS })
  try {
    for (const theme of ['light', 'dark'] as const) {
      const viewport = { width: 1440, height: 900 }
      const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
      await context.request.post(`${address}/api/v1/session`, { data: { api_key: KEY } })
      const page = await context.newPage()
      const take = (name: string, path: string, sign: string) =>
        shoot(page, { url: address + path, sign, file: join(OUT, `${name}-${theme}.webp`) })
      await take('canvas', `/flows/${flow}?node=parser-1`, '[data-inspected] [aria-label="Output"]')
      await take('flows', '/flows', '[data-flow-link]')
      await take('runs', '/runs', 'text=Succeeded')
      await take('run', `/runs/${failed}`, 'text=Show the node on the canvas')
      await take('playground', `/flows/${flow}/playground`, 'text=Desk lamp')
      // The guides show one of each, as pictures in a text are: on white.
      if (theme === 'light') {
        for (const [picture, id] of reaching) {
          await take(picture, `/flows/${id}?node=${picture}-1`, '[data-inspected] [aria-label="Output"]')
        }
        await take('connections', '/connections', 'text=shop-database')
      }
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
  await page.evaluate(WAIT_UNTIL_DRAWN)
  const fit = page.getByRole('button', { name: 'Zoom to fit' })
  if (await fit.isVisible()) {
    await fit.click()
    await page.evaluate(WAIT_UNTIL_DRAWN)
  }
  await writeFile(file, await asWebp(page, await page.screenshot()))
}

/** By the browser's own encoder: half of what PNG takes, and the package has the pictures of the guides. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(async () => {
    const png = Uint8Array.fromBase64('${png.toString('base64')}')
    const picture = await createImageBitmap(new Blob([png]))
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    canvas.getContext('2d').drawImage(picture, 0, 0)
    const webp = await canvas.convertToBlob({ type: 'image/webp', quality: 0.86 })
    return new Uint8Array(await webp.arrayBuffer()).toBase64()
  })()`)
  return Buffer.from(base64, 'base64')
}

/** In the page: nothing is being loaded or moves, and nothing has changed for thirty frames. */
const WAIT_UNTIL_DRAWN = `new Promise((resolve) => {
  let frames = 0
  const observer = new MutationObserver(() => { frames = 0 })
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  const isBusy = () => document.querySelector('[aria-busy="true"], [aria-label="Loading"]') !== null || document.fonts.status !== 'loaded'
    || document.getAnimations().some(({ playState }) => playState === 'running')
  const look = () => {
    frames = isBusy() ? 0 : frames + 1
    if (frames < 30) return requestAnimationFrame(look)
    observer.disconnect()
    resolve()
  }
  look()
})`
