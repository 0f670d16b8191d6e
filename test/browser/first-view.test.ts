import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { ROOT, startService } from '../support/service.ts'

const browser = testBrowser()
const LARGEST = 250 * 1000

describe('the first view', () => {
  it('transfers at most 250 kB of script, compressed', async (t) => {
    const service = await startService(t)
    const page = await browser.open(t, service, { key: null, fresh: true })
    const scripts = new Set<string>()
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith('.js')) scripts.add(pathname)
    })
    await page.context().request.post(`${service.address}/api/v1/session`, { data: { api_key: service.key } })
    await page.goto(`${service.address}/flows`)
    await page.getByRole('link', { name: 'Orders', exact: true }).waitFor()
    const sizes = await Promise.all([...scripts].map(gzippedSize))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    t.diagnostic(`${Math.round(total / 1000)} kB in ${sizes.length} files`)
    assert.ok(sizes.length > 1)
    assert.ok(total <= LARGEST, `${total} bytes`)
  })

  /** At 50 kB a second; html, answers of the API and the work of the browser take the rest of the six seconds. */
  it('needs no more than can come in 4.61 seconds to draw a graph', async (t) => {
    const service = await startService(t)
    const document = await service.get('/flows/orders', { headers: { accept: 'text/html' } })
    const files = [...document.text.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, file]) => file!)
    assert.ok(files.some((file) => file.includes('editor-page-')))
    const sizes = await Promise.all(files.map(smallestSize))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    t.diagnostic(`${Math.round(total / 1000)} kB in ${sizes.length} files`)
    assert.ok(
      total <= 4.61 * 50_000,
      `${total} bytes; what the canvas does not need belongs into editor-tools.tsx`
    )
  })

  it('is served compressed, and kept by the browser', async (t) => {
    const service = await startService(t)
    const assets = await readdir(join(ROOT, 'web/dist/assets'))
    const script = assets.find((name) => /^index-.*\.js$/.test(name))!
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip']
    ] as const) {
      const answer = await service.get(`/assets/${script}`, { headers: { 'accept-encoding': accepted } })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-encoding'), encoding)
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
    }
  })
})

async function smallestSize(path: string): Promise<number> {
  const file = join(ROOT, 'web/dist', path)
  const bytes = await readFile(`${file}.br`).catch(() => readFile(file))
  return bytes.length
}

async function gzippedSize(path: string): Promise<number> {
  const file = join(ROOT, 'web/dist', path)
  const bytes = await readFile(`${file}.gz`).catch(() => readFile(file))
  return bytes.length
}
