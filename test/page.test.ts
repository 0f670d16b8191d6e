import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Answer, type ApiClient, problemOf } from './support/api-client.ts'
import { createHost } from './support/host.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { startService, temporaryFolder } from './support/service.ts'

const SCRIPT = 'console.log("the page")\n'.repeat(20)
const A_YEAR = 'public, max-age=31536000, immutable'
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const INDEX = `<!doctype html>
<html lang="en">
  <head>
    <base href="/" />
    <meta name="style-nonce" content="" />
    <script type="module" src="./assets/index-1a2b.js"></script>
  </head>
</html>
`

/** A page as a build leaves it. */
async function builtPage(t: TestContext): Promise<string> {
  const folder = join(await temporaryFolder(t), 'dist')
  const files: Record<string, string | Buffer> = {
    'index.html': INDEX,
    'index.html.br': brotliCompressSync(INDEX),
    'icon.svg': '<svg/>',
    'assets/index-1a2b.js': SCRIPT,
    'assets/index-1a2b.js.br': brotliCompressSync(SCRIPT),
    'assets/index-1a2b.js.gz': gzipSync(SCRIPT),
    'assets/style-3c4d.css': 'body{}',
    '.vite/manifest.json': '{}'
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

function visit(client: ApiClient, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return client.get(path, { key: null, headers })
}

/** The nonce of an answer that is the page's document. */
function nonceOf(answer: Answer): string {
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  return /<meta name="style-nonce" content="([^"]+)">/.exec(answer.text)?.[1] ?? assert.fail(answer.text)
}

describe('the page', () => {
  it('is one document, with its path and a nonce of its own every time', async (t) => {
    const service = await startService(t, { pageFolder: await builtPage(t) })
    const [first, second] = [await visit(service, '/'), await visit(service, '/index.html')]
    assert.notEqual(nonceOf(first), nonceOf(second))
    for (const answer of [first, second]) {
      assert.equal(answer.text.split('<base ').length, 2)
      assert.ok(answer.text.includes('<base href="/">'))
      assert.equal(answer.headers.get('cache-control'), 'no-cache')
      assert.equal(answer.headers.get('content-encoding'), null)
    }
  })

  it('runs only its own scripts, and is shown in no frame', async (t) => {
    const service = await startService(t, { pageFolder: await builtPage(t) })
    const answer = await visit(service, '/')
    const policy = answer.headers.get('content-security-policy')!.split('; ')
    assert.ok(policy.includes("default-src 'none'"))
    assert.ok(policy.includes("script-src 'self'"))
    assert.ok(policy.includes(`style-src 'self' 'nonce-${nonceOf(answer)}'`))
    assert.ok(policy.includes("frame-ancestors 'none'"))
    assert.ok(policy.includes("base-uri 'self'"))
    assert.doesNotMatch(policy.join(' '), /unsafe|https?:|\*/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('referrer-policy'), 'same-origin')
    assert.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.match(answer.headers.get('permissions-policy')!, /camera=\(\)/)
  })

  it('is there at every address that a browser goes to, and that nobody else takes', async (t) => {
    const service = await startService(t, { pageFolder: await builtPage(t) })
    for (const path of [
      '/sign-in',
      '/flows',
      '/flows/my.flow?tab=1',
      '/runs/a%20b',
      '/sign-in?reason=used'
    ]) {
      nonceOf(await visit(service, path, NAVIGATION))
      nonceOf(await visit(service, path, { accept: '*/*', 'sec-fetch-mode': 'navigate' }))
      problemOf(await visit(service, path), 404, 'route_not_found')
      problemOf(
        await visit(service, path, { ...NAVIGATION, 'sec-fetch-mode': 'cors' }),
        404,
        'route_not_found'
      )
    }
    for (const path of ['/api/v1/nothing', '/api', '/v1/nothing', '/assets/gone-0000.js']) {
      problemOf(await visit(service, path, NAVIGATION), 404, 'route_not_found')
    }
    // Which methods a flow takes is told to those alone who may know of it.
    problemOf(await visit(service, '/api/v1/webhook/orders', NAVIGATION), 401, 'unauthorized')
    problemOf(await visit(service, '/api/v1/flows', NAVIGATION), 401, 'unauthorized')
    problemOf(await service.post('/flows', {}, { headers: NAVIGATION }), 404, 'route_not_found')
    assert.equal((await visit(service, '/livez', NAVIGATION)).json().status, 'ok')
  })

  it('has files: those with a hash in their name are kept for a year, others asked for again', async (t) => {
    const service = await startService(t, { pageFolder: await builtPage(t) })
    const rows: [path: string, type: string, cache: string][] = [
      ['/assets/index-1a2b.js', 'text/javascript; charset=utf-8', A_YEAR],
      ['/assets/style-3c4d.css?v=1', 'text/css; charset=utf-8', A_YEAR],
      ['/icon.svg', 'image/svg+xml', 'no-cache']
    ]
    for (const [path, type, cache] of rows) {
      const answer = await visit(service, path)
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers.get('content-type'), type)
      assert.equal(answer.headers.get('cache-control'), cache)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(answer.headers.get('vary'), 'accept-encoding')
    }
    assert.equal((await visit(service, '/assets/index-1a2b.js')).text, SCRIPT)
  })

  it('sends what was compressed beside a file to who can read it', async (t) => {
    const service = await startService(t, { pageFolder: await builtPage(t) })
    const rows: [accepts: string, path: string, encoding: string | null][] = [
      ['gzip, deflate, br, zstd', '/assets/index-1a2b.js', 'br'],
      ['gzip, br;q=0', '/assets/index-1a2b.js', 'gzip'],
      ['gzip;q=0.5, br;q=0.1', '/assets/index-1a2b.js', 'br'],
      ['identity', '/assets/index-1a2b.js', null],
      ['br', '/assets/style-3c4d.css', null]
    ]
    for (const [accepts, path, encoding] of rows) {
      const { status, headers } = await visit(service, path, { 'accept-encoding': accepts })
      assert.deepEqual([status, headers.get('content-encoding')], [200, encoding], accepts)
    }
    const length = String(brotliCompressSync(SCRIPT).length)
    const { headers } = await visit(service, '/assets/index-1a2b.js', { 'accept-encoding': 'br' })
    assert.equal(headers.get('content-length'), length)
  })

  it('unpacks for who cannot, where the compressed file is all there is', async (t) => {
    const folder = await builtPage(t)
    await rm(join(folder, 'assets/index-1a2b.js'))
    const service = await startService(t, { pageFolder: folder })
    const answer = await visit(service, '/assets/index-1a2b.js', { 'accept-encoding': 'identity' })
    assert.deepEqual([answer.status, answer.headers.get('content-encoding')], [200, null])
    assert.equal(answer.text, SCRIPT)
    const packed = await visit(service, '/assets/index-1a2b.js', { 'accept-encoding': 'br' })
    assert.equal(packed.headers.get('content-encoding'), 'br')
  })

  it('answers HEAD like GET, without a body', async (t) => {
    const service = await startService(t, { pageFolder: await builtPage(t) })
    for (const path of ['/', '/flows', '/assets/index-1a2b.js']) {
      const options = { key: null, headers: NAVIGATION }
      const [got, head] = [await service.get(path, options), await service.request('HEAD', path, options)]
      assert.deepEqual([head.status, head.text], [200, ''])
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        assert.equal(head.headers.get(name), got.headers.get(name), `${name} of ${path}`)
      }
    }
  })

  it('gives out nothing but the files of the page', async (t) => {
    const pageFolder = await builtPage(t)
    await writeFile(join(pageFolder, '..', 'secret.txt'), 'secret')
    const service = await startService(t, { pageFolder })
    for (const path of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '//secret.txt',
      '/assets',
      '/assets/',
      '/.vite/manifest.json',
      '/index.html.br',
      '/assets/index-1a2b.js.br',
      '/assets/index-1a2b.js.gz'
    ]) {
      const answer = await sendRaw(service.address, requestHead(`GET ${path}`, { connection: 'close' }))
      assert.ok([400, 404].includes(answer.status), `${path} is answered ${answer.status}`)
      assert.ok(!answer.text.includes('secret\n') && !answer.text.endsWith('secret'), path)
    }
  })

  it('says what to do where it has not been built, and is there as soon as it is', async (t) => {
    const pageFolder = await builtPage(t)
    const elsewhere = join(pageFolder, 'not-yet')
    const service = await startService(t, { pageFolder: elsewhere })
    for (const path of ['/', '/flows/orders']) {
      const answer = await visit(service, path, NAVIGATION)
      assert.equal(answer.status, 503)
      assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
      assert.match(answer.text, /npm start/)
    }
    problemOf(await visit(service, '/assets/index-1a2b.js'), 404, 'route_not_found')
    await mkdir(join(elsewhere, 'assets'), { recursive: true })
    await writeFile(join(elsewhere, 'index.html'), INDEX)
    await writeFile(join(elsewhere, 'assets', 'new-5e6f.js'), SCRIPT)
    nonceOf(await visit(service, '/'))
    assert.equal((await visit(service, '/assets/new-5e6f.js')).text, SCRIPT)
    await rm(join(elsewhere, 'assets', 'new-5e6f.js'))
    problemOf(await visit(service, '/assets/new-5e6f.js'), 404, 'route_not_found')
  })

  it('leaves every address to plugins that want it', async (t) => {
    const host = await createHost(t, {
      prefix: '/',
      plugins: [
        async function shop(context) {
          context.get('/', async () => 'the shop')
          context.get('/flows/*', async () => 'the flows of the shop')
        }
      ]
    })
    assert.equal((await host.app.inject({ url: '/', headers: NAVIGATION })).body, 'the shop')
    const flows = await host.app.inject({ url: '/flows/orders', headers: NAVIGATION })
    assert.equal(flows.body, 'the flows of the shop')
  })
})

describe('the page inside an application', () => {
  it('is served below the prefix, and knows it', async (t) => {
    const host = await createHost(t, {
      pageFolder: await builtPage(t),
      before: (app) => void app.setNotFoundHandler((_request, reply) => reply.code(404).send('own 404'))
    })
    const client = await host.listen()
    for (const path of ['/', '', '/flows/orders']) {
      const answer = await visit(client, path, NAVIGATION)
      nonceOf(answer)
      assert.ok(answer.text.includes('<base href="/flows/">'), answer.text)
    }
    assert.equal((await visit(client, '/assets/index-1a2b.js')).text, SCRIPT)
    problemOf(await visit(client, '/api/v1/nothing', NAVIGATION), 404, 'route_not_found')
    for (const url of ['/', '/assets/index-1a2b.js', '/runs', '/flowsandmore']) {
      assert.equal((await host.app.inject({ url, headers: NAVIGATION })).body, 'own 404', url)
    }
  })
})
