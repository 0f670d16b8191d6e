import assert from 'node:assert/strict'
import { once } from 'node:events'
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import type { Command, RemoteName } from '../src/cli/command.ts'
import { readCommand } from '../src/cli/read-command.ts'
import { runRemote } from '../src/cli/remote/run-remote.ts'
import type { ApiClient, FlowBody } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { serviceOfFile, temporaryFolder } from './support/service.ts'

const shared = serviceOfFile()

interface Said {
  readonly code: number
  readonly out: string
  readonly notes: string
}

/** `millrace …` as it is typed in a folder, in this process. */
async function typed(
  service: Pick<ApiClient, 'address' | 'key'>,
  folder: string,
  ...args: string[]
): Promise<Said> {
  const said = { out: '', notes: '' }
  const outside = {
    env: { MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key },
    platform: process.platform,
    home: folder,
    folder,
    input: Readable.from([]),
    output: { write: (text: string) => (said.out += text) },
    notes: { write: (text: string) => (said.notes += text) },
    now: Date.now,
    signal: new AbortController().signal
  }
  const code = await runRemote(readCommand(args) as Command<RemoteName>, outside)
  return { code, ...said }
}

/** Something that answers as a service does, whatever it is asked. */
async function answering(
  t: TestContext,
  status: number,
  answer: object
): Promise<Pick<ApiClient, 'address' | 'key'>> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify(answer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k'.repeat(20) }
}

async function files(folder: string, at = ''): Promise<string[]> {
  const entries = await readdir(join(folder, at), { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) =>
      entry.isDirectory() ? files(folder, join(at, entry.name)) : [join(at, entry.name)]
    )
  )
  return found.flat().toSorted()
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

const FLOW = `name: Orders
nodes:
  - { id: webhook-1, type: webhook }
  - id: parser-1
    type: parser
    fields:
      template: Order {order_id}
edges:
  - { from: webhook-1.data, to: parser-1.data }
`

async function pulled(
  t: TestContext,
  service: ApiClient,
  slug: string
): Promise<{ folder: string; args: string[] }> {
  const folder = await temporaryFolder(t)
  const context = `/${slug}`
  await service.post('/api/v1/contexts', { name: slug, variables: { region: 'eu' } })
  await service.createFlow(ordersFlow({ slug, name: slug, context }))
  const said = await typed(service, folder, 'pull', '--context', context)
  assert.equal(said.code, 0, said.notes)
  return { folder, args: ['--context', context] }
}

describe('a folder of flows', () => {
  it('comes from a service and goes back, and nothing is changed by that', async (t) => {
    const service = await shared(t)
    const { folder, args } = await pulled(t, service, 'trip')
    assert.deepEqual(await files(folder), ['context.yaml', 'trip.yaml'])
    const pushed = await typed(service, folder, 'push', ...args)
    assert.deepEqual([pushed.code, pushed.out], [0, ''])
    assert.equal((await typed(service, folder, 'push', '--check', ...args)).code, 0)
    assert.equal((await typed(service, folder, 'diff', ...args)).code, 0)
    assert.equal((await typed(service, folder, 'pull', '--check', ...args)).code, 0)
    assert.equal((await service.get('/api/v1/flows/trip')).json<FlowBody>().version, 1)
    // All that there is, from the root.
    const whole = await temporaryFolder(t)
    await typed(service, whole, 'pull', 'all')
    const plan = await typed(service, whole, 'push', 'all', '--delete', '--json')
    assert.ok(JSON.parse(plan.out).flows.every(({ action }: { action: string }) => action === 'unchanged'))
  })

  it('is published where it differs, line by line', async (t) => {
    const service = await shared(t)
    const { folder, args } = await pulled(t, service, 'edit')
    const file = join(folder, 'edit.yaml')
    const before = await readFile(file, 'utf8')
    await writeFile(file, `# by hand\n${before.replace('Order {order_id} from', 'Order no. {order_id} of')}`)
    const compared = await typed(service, folder, 'diff', ...args)
    assert.equal(compared.code, 1)
    assert.match(
      compared.out,
      /^-\s+template: Order \{order_id\} from \{customer\}\n\+\s+template: Order no\. \{order_id\} of/m
    )
    assert.equal(compared.out.split('\n').filter((line) => /^[-+](?![-+])/.test(line)).length, 2)
    const checked = await typed(service, folder, 'push', '--check', ...args)
    assert.deepEqual([checked.code, checked.out], [1, '~ /edit/edit  Parser: template\n'])
    const done = await typed(service, folder, 'push', ...args)
    assert.deepEqual(
      [done.code, done.notes],
      [0, 'Plan: 1 flow changed, 0 unchanged.\nDone: 1 flow changed, 0 unchanged.\n']
    )
    assert.equal((await service.get('/api/v1/flows/edit')).json<FlowBody>().version, 2)
    // What says the same keeps its comments.
    await typed(service, folder, 'pull', ...args)
    assert.match(await readFile(file, 'utf8'), /^# by hand/)
  })

  it('is told of in words where it is not there, or cannot be made', async (t) => {
    const service = await shared(t)
    await service.createFlow(ordersFlow({ slug: 'no-folder' }))
    const folder = await temporaryFolder(t)
    const absent = await typed(service, folder, 'push', 'none')
    assert.deepEqual(
      [absent.code, absent.notes],
      [1, `The folder ${join(folder, 'none')} cannot be read: it is not there.\n`]
    )
    // A system that denies a folder by saying that there is none above it: what tried again for ever.
    if (process.platform !== 'linux') return
    const denied = await typed(service, folder, 'pull', '/proc/none')
    assert.equal(denied.code, 1)
    assert.match(denied.notes, /^\/proc\/none\/\S+ cannot be written: it is not there\.$/m)
  })

  it('is taken as people write it, and told of by file, line and column', async (t) => {
    const service = await shared(t)
    const folder = await temporaryFolder(t)
    await write(folder, 'hand/hand-a.yaml', FLOW)
    const made = await typed(service, folder, 'push')
    assert.deepEqual([made.code, made.out], [0, '+ context /hand\n+ /hand/hand-a\n'])
    await write(folder, 'hand/hand-a.yaml', FLOW.replace('Order {order_id}', 'Order {order_id'))
    const wrong = await typed(service, folder, 'push', '--check')
    assert.equal(wrong.code, 2)
    assert.match(wrong.notes, /^hand\/hand-a\.yaml:7:7: /m)
    await write(folder, 'hand/hand-b.yaml', 'name: B: C\n')
    const broken = await typed(service, folder, 'push')
    assert.deepEqual([broken.code, broken.notes.split('\n').length], [2, 3])
    assert.match(broken.notes, /^hand\/hand-b\.yaml:1:\d+: .*quotes/)
    assert.equal((await service.get('/api/v1/flows/hand-a')).json<FlowBody>().version, 1)
  })

  it('goes to a stage beside production', async (t) => {
    const service = await shared(t)
    const folder = await temporaryFolder(t)
    await write(folder, 'shop.yaml', FLOW)
    await write(
      folder,
      'till.yaml',
      'name: Till\nnodes:\n  - { id: run-1, type: run-flow, fields: { flow: shop } }\n'
    )
    await typed(service, folder, 'push')
    const refused = await typed(service, folder, 'push', '--context', '/staging')
    assert.deepEqual([refused.code, refused.notes.includes('--prefix')], [2, true])
    const staged = ['--context', '/staging', '--prefix', 'staging-']
    const done = await typed(service, folder, 'push', ...staged)
    assert.equal(done.code, 0, done.notes)
    const till = (await service.get('/api/v1/flows/staging-till')).json<
      FlowBody & { nodes: { fields: object }[] }
    >()
    assert.deepEqual([till.context, till.nodes[0]!.fields], ['/staging', { flow: 'staging-shop' }])
    assert.equal((await typed(service, folder, 'push', '--check', ...staged)).code, 0)
    const back = await temporaryFolder(t)
    await typed(service, back, 'pull', ...staged)
    assert.deepEqual(await files(back), ['context.yaml', 'shop.yaml', 'till.yaml'])
    assert.match(await readFile(join(back, 'till.yaml'), 'utf8'), /flow: shop\n/)
    // Whoever clears production does not mean the stage beside it, of which the folder has nothing.
    const cleared = await typed(service, folder, 'push', '--delete', '--check')
    assert.doesNotMatch(cleared.out, /staging/)
    assert.match(
      cleared.notes,
      /^Left alone in \/staging: staging-shop, staging-till\. .*--context \/staging/m
    )
    await write(folder, 'staging/context.yaml', 'variables: {}\n')
    assert.match(
      (await typed(service, folder, 'push', '--delete', '--check')).out,
      /^- \/staging\/staging-till$/m
    )
    await rm(join(folder, 'staging'), { recursive: true })
    // Only what begins so is looked at.
    await rm(join(folder, 'till.yaml'))
    const deleted = await typed(service, folder, 'push', '--delete', ...staged)
    assert.match(deleted.out, /^- \/staging\/staging-till$/m)
    assert.equal((await service.get('/api/v1/flows/till')).status, 200)
  })

  it('has no way out by links', async (t) => {
    const service = await shared(t)
    const folder = await temporaryFolder(t)
    const away = await temporaryFolder(t)
    await write(away, 'secret.yaml', 'password: x\n')
    await write(folder, '..data/linked.yaml', FLOW)
    await symlink('..data/linked.yaml', join(folder, 'linked.yaml'))
    assert.equal((await typed(service, folder, 'push', '--check')).code, 1)
    await symlink(join(away, 'secret.yaml'), join(folder, 'secret.yaml'))
    await symlink(away, join(folder, 'away'))
    const said = await typed(service, folder, 'push')
    assert.equal(said.code, 2)
    assert.doesNotMatch(said.notes, /password/)
    assert.equal(said.notes.match(/leads out of the folder/g)?.length, 2)
    // A pull writes in the place of a link, not through it.
    const target = join(away, 'target.yaml')
    await writeFile(target, 'mine\n')
    const other = await temporaryFolder(t)
    await service.createFlow(ordersFlow({ slug: 'by-link', context: '/' }))
    await symlink(target, join(other, 'link.yaml'))
    assert.equal((await typed(service, other, 'pull', '--prefix', 'by-')).code, 0)
    assert.equal((await lstat(join(other, 'link.yaml'))).isFile(), true)
    assert.equal(await readFile(target, 'utf8'), 'mine\n')
    await service.post('/api/v1/contexts', { name: 'linked' })
    await service.createFlow(ordersFlow({ slug: 'by-folder', context: '/linked' }))
    await symlink(away, join(other, 'linked'))
    const out = await typed(service, other, 'pull', '--prefix', 'by-')
    assert.deepEqual([out.code, (await files(away)).includes('folder.yaml')], [1, false])
    assert.match(out.notes, /leads out of the folder/)
  })

  it('has no file beside it, whatever a service calls its flows, and shows none of its orders to terminals', async (t) => {
    const folder = join(await temporaryFolder(t), 'flows')
    await mkdir(folder)
    const pull = { flows: [], connections: [], contexts: [] }
    const flow = { name: 'x', nodes: [], edges: [] }
    for (const news of [
      { flows: [{ ...flow, slug: 'out', context: '/../up' }] },
      { flows: [{ ...flow, slug: 'out', context: '/\u001b[2J' }] },
      { connections: [{ name: 'a', kind: 'http', context: '/..', settings: {} }] },
      { contexts: [{ path: '/..', variables: {}, default_auth: null, limits: {} }] }
    ]) {
      const service = await answering(t, 200, { ...pull, ...news })
      const said = await typed(service, folder, 'pull')
      assert.equal(said.code, 1, said.notes)
      assert.match(said.notes, /which no folder of flows has/)
      assert.ok(!said.notes.includes('\u001b'))
      assert.deepEqual(await files(dirname(folder)), [])
    }
    const slugs = ['../out', 'a\u001b[2J', ''].map((slug) => ({ ...flow, slug, context: '/' }))
    const passedOver = await typed(await answering(t, 200, { ...pull, flows: slugs }), folder, 'pull')
    assert.deepEqual([passedOver.code, passedOver.out, await files(dirname(folder))], [0, '', []])
    const refusing = await answering(t, 422, { code: 'x', detail: 'no\u001b[2J\u009b1m' })
    assert.equal((await typed(refusing, folder, 'flows', 'list')).notes, 'no�[2J�1m\n')
  })

  it('is rehearsed before it is published', async (t) => {
    const service = await shared(t)
    const folder = await temporaryFolder(t)
    await write(folder, 'heard.yaml', FLOW)
    await typed(service, folder, 'push')
    await service.request('POST', '/api/v1/webhook/heard', {
      body: { order_id: 7 },
      headers: { prefer: 'wait=10' }
    })
    await write(folder, 'heard.yaml', FLOW.replace('{order_id}', '{order_number}'))
    const stopped = await typed(service, folder, 'push', '--rehearse')
    assert.equal(stopped.code, 1, stopped.notes)
    assert.match(stopped.notes, /order_number/)
    assert.equal((await service.get('/api/v1/flows/heard')).json<FlowBody>().version, 1)
    const forced = await typed(service, folder, 'push', '--rehearse', '--force')
    assert.equal(forced.code, 0, forced.notes)
    assert.equal((await service.get('/api/v1/flows/heard')).json<FlowBody>().version, 2)
  })

  it('loses files only where that is said', async (t) => {
    const service = await shared(t)
    const { folder, args } = await pulled(t, service, 'gone')
    await write(folder, 'older.yaml', FLOW)
    const left = await typed(service, folder, 'pull', ...args)
    assert.deepEqual([left.code, left.out], [0, '? older.yaml\n'])
    assert.equal((await typed(service, folder, 'pull', '--delete', '--check', ...args)).code, 1)
    await typed(service, folder, 'pull', '--delete', ...args)
    assert.deepEqual(await files(folder), ['context.yaml', 'gone.yaml'])
    assert.ok((await lstat(folder)).isDirectory())
  })
})
