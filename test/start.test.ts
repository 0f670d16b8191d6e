import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { serviceProcess } from '../scripts/run-on-pinned-node.mjs'
import { warmCompileCache } from '../scripts/warm.mjs'
import type { ApiClient, RunBody } from './support/api-client.ts'
import { CHILD_KEY, ChildService, inheritedEnvironment, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { ROOT, temporaryFolder } from './support/stage.ts'

const READY = /^Millrace is ready at http:\/\/127\.0\.0\.1:\d+$/
const KEY = { MILLRACE_API_KEY: CHILD_KEY }

describe('the first start', { concurrency: 2 }, () => {
  it('prints a key, once, and commands that work as they are', async (t) => {
    const service = await spawnService(t)
    const address = await service.ready()
    const lines = service.stdout.trimEnd().split('\n')
    assert.match(lines.at(-1)!, READY)
    const [, key] = /^API key: (\S+)$/m.exec(service.stdout)!
    const [start, look, ...more] = lines.filter((line) => line.trim().startsWith('curl '))
    assert.deepEqual(more, [])
    const started = await shell(start!)
    assert.match(started, /^HTTP\/1\.1 202 /)
    const client = await service.client(key!)
    await client.waitForRun(JSON.parse(started.split('\r\n\r\n')[1]!).run_id)
    const { runs } = JSON.parse(await shell(look!)) as { runs: RunBody[] }
    assert.deepEqual(
      runs.map(({ status }) => status),
      ['succeeded']
    )
    const outputs = runs[0]!.steps.map(({ outputs }) => outputs?.parsed_text)
    assert.ok(outputs.includes('Order 7 from Ann'), 'the result is there to be seen')
    await assertSameInReadme(look!, { address, key: key! })
    assert.ok(!service.stderr.includes(key!), 'the key is in the log')
    await assertSignsInOnce(client, service.stdout)
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    const again = await spawnService(t, { home: service.home })
    await again.ready()
    assert.match(again.stdout.trimEnd(), READY, 'a later start prints the ready line and nothing else')
    const later = await again.client(key!)
    assert.notEqual(later.address, '')
    assert.equal((await later.get('/api/v1/flows/orders')).status, 200, `the key of ${address} is still good`)
  })

  it('prints no key where the operator set one, uses the variable, and later takes it from a file', async (t) => {
    const service = await spawnService(t, { env: KEY })
    await service.ready()
    assert.ok(!(service.stdout + service.stderr).includes(CHILD_KEY))
    const start = service.stdout.split('\n').find((line) => line.trim().startsWith('curl '))!
    assert.match(await shell(start, KEY), /^HTTP\/1\.1 202 /)
    await assertSignsInOnce(await service.client(CHILD_KEY), service.stdout)
    await service.end('SIGTERM')
    await assertLogs(t, service.home)
  })

  it('is not the last one to show a key: where none is left, a new one is made and shown', async (t) => {
    const service = await spawnService(t)
    await service.ready()
    const [, first] = /^API key: (\S+)$/m.exec(service.stdout)!
    const client = await service.client(first!)
    const { keys } = (await client.get('/api/v1/keys')).json<{ keys: { id: string }[] }>()
    for (const { id } of keys) await client.request('DELETE', `/api/v1/keys/${id}`)
    await service.end('SIGTERM')
    const again = await spawnService(t, { home: service.home })
    await again.ready()
    const [, key] = /^API key: (\S+)$/m.exec(again.stdout) ?? assert.fail(again.stdout)
    assert.equal((await (await again.client(key!)).get('/api/v1/flows')).status, 200)
  })
})

/** What the README shows is what is printed. */
async function assertSameInReadme(look: string, { address, key }: { address: string; key: string }) {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const shown = look.trim().replace(address, 'http://127.0.0.1:7860').replace(key, '$KEY')
  assert.ok(readme.includes(`# see the result\n${shown}\n`), shown)
}

describe('what a start loads', () => {
  // Needed by few, or late: to load them makes every start slower and every process larger.
  const late = 'ajv aws4fetch yaml @fastify/swagger @fastify/busboy undici pg pg-boss mysql2 vite'.split(' ')

  it('is neither what few need nor what strips the types of sources', async (t) => {
    await warmCompileCache()
    const { flags } = serviceProcess
    const home = join(await temporaryFolder(t), 'home')
    const tell = `import module from 'node:module'; process.on('exit', () => console.log(JSON.stringify({
      builtIn: process.moduleLoadList, files: Object.keys(module._cache) })))`
    const args = [...flags, `--import=data:text/javascript,${encodeURIComponent(tell)}`, 'scripts/self.mjs']
    const env = { ...inheritedEnvironment(), ...KEY, PORT: '0', MILLRACE_HOME: home }
    const child = spawn(process.execPath, [...args, 'src/main.ts'], { env, cwd: ROOT })
    cleanUp(t, () => child.kill('SIGKILL'))
    const service = new ChildService(t, child, home)
    await service.ready()
    await service.end('SIGTERM')
    const loaded = JSON.parse(service.stdout.trimEnd().split('\n').at(-1)!) as Loaded
    const packages = loaded.files.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1])
    assert.ok(packages.includes('fastify'), 'the list of what is loaded is empty')
    assert.deepEqual(
      late.filter((name) => packages.includes(name)),
      []
    )
    const strange = loaded.builtIn.filter((name) => /deps\/(?:amaro|undici)/.test(name))
    assert.deepEqual(strange, [])
  })
})

interface Loaded {
  readonly builtIn: readonly string[]
  readonly files: readonly string[]
}

describe('a start that cannot be', { concurrency: 3 }, () => {
  // src/startup/config.test.ts has all that a variable can hold; these show what becomes of it.
  const REFUSED: [title: string, env: Record<string, string>, says: RegExp][] = [
    ['an unknown variable', { MILLRACE_PROT: '1' }, /MILLRACE_PROT/],
    ['a bad value', { MILLRACE_BODY_LIMIT: 'lots' }, /MILLRACE_BODY_LIMIT.*lots/],
    [
      'a secret that cannot be read',
      { MILLRACE_API_KEY_FILE: '/nowhere' },
      /MILLRACE_API_KEY_FILE.*\/nowhere/
    ],
    [
      'an object store that does not answer',
      {
        MILLRACE_FILES: 's3://mill/team?endpoint=http://127.0.0.1:1',
        AWS_ACCESS_KEY_ID: 'a',
        AWS_SECRET_ACCESS_KEY: 'b'
      },
      /MILLRACE_FILES: Files in http:\/\/127\.0\.0\.1:1\/mill\/team\/ cannot be used: nobody answers/
    ],
    ['an address of another machine', { HOST: '203.0.113.7' }, /203\.0\.113\.7/],
    ['a folder that cannot be', { MILLRACE_HOME: '/dev/null/home' }, /\/dev\/null\/home/],
    ['a plugin that is not there', { MILLRACE_PLUGINS: './absent.ts' }, /\.\/absent\.ts/]
  ]
  for (const [title, env, says] of REFUSED) {
    it(`for ${title} ends with one clear line`, async (t) => {
      await assertRefused(await spawnService(t, { env }), says)
    })
  }

  it('for a port that is taken ends with one clear line', async (t) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanUp(t, () => server.close())
    const PORT = String((server.address() as AddressInfo).port)
    await assertRefused(await spawnService(t, { env: { PORT } }), new RegExp(`PORT.*|${PORT}`))
  })

  it('for a folder that another process has ends with one clear line, and the other goes on', async (t) => {
    const first = await spawnService(t, { env: KEY })
    const client = await first.client(CHILD_KEY)
    await assertRefused(await spawnService(t, { home: first.home, env: KEY }), /in use/)
    assert.equal((await client.run('orders')).status, 'failed')
    await first.end('SIGKILL')
    const next = await spawnService(t, { home: first.home, env: KEY })
    await next.ready()
  })
})

async function assertRefused(service: ChildService, says: RegExp): Promise<void> {
  const { code } = await service.ended
  assert.equal(code, 1, `${service.stdout}${service.stderr}`)
  assert.equal(service.stdout, '')
  const lines = service.stderr.trimEnd().split('\n')
  assert.equal(lines.length, 1, `it says more than one line:\n${service.stderr}`)
  assert.match(lines[0]!, /^Millrace cannot start: \S/)
  assert.match(lines[0]!, says)
}

/** Lines of JSON on stderr, and nothing but the ready line on stdout. The key is another one, of a file. */
async function assertLogs(t: TestContext, home: string): Promise<void> {
  const key = CHILD_KEY.toUpperCase()
  const file = join(await temporaryFolder(t), 'key')
  await writeFile(file, `${key}\n`)
  const service = await spawnService(t, { home, env: { MILLRACE_API_KEY_FILE: file, LOG_LEVEL: 'trace' } })
  const client = await service.client(key)
  await client.run('orders')
  await service.end('SIGTERM')
  assert.match(service.stdout.trimEnd(), READY)
  const lines = service.stderr.split('\n').filter((line) => line !== '')
  assert.ok(lines.length > 0)
  for (const line of lines) {
    const { level, time, msg } = JSON.parse(line)
    assert.deepEqual([typeof level, typeof time, typeof msg], ['number', 'number', 'string'], line)
  }
  assert.ok(!service.stderr.includes(key))
}

async function assertSignsInOnce(client: ApiClient, printed: string): Promise<void> {
  const [, address, path] =
    /^ {2}(http:\/\/\S+?)(\/sign-in\?token=\S+)$/m.exec(printed) ?? assert.fail(printed)
  assert.equal(address, client.address)
  const answer = await client.get(path!, { key: null })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/'])
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  const session = await client.get('/api/v1/session', { key: null, headers: { cookie } })
  assert.deepEqual(session.json<{ key: { rights: string[] } }>().key.rights, [
    'trigger',
    'read',
    'write',
    'admin'
  ])
  const again = await client.get(path!, { key: null })
  assert.equal(again.headers.get('location'), '/sign-in?reason=used')
}

async function shell(command: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...env } })
  return stdout
}
