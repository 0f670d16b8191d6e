import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { cleanUp } from './support/clean-up.ts'
import { CommandLine } from './support/command-line.ts'
import { eventually } from './support/eventually.ts'
import { serviceOfFile, startService, temporaryFolder } from './support/service.ts'

const ORDERS = {
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
    { id: 'parser-1', type: 'parser', position: { x: 300, y: 0 }, fields: { template: 'Order {order_id}' } }
  ],
  edges: [{ from: 'webhook-1.data', to: 'parser-1.data' }]
}

const shared = serviceOfFile()

async function openTerminal(t: TestContext, slug?: string) {
  const service = await shared(t)
  if (slug !== undefined) await service.createFlow({ name: slug, slug, ...ORDERS })
  const folder = await temporaryFolder(t)
  const env = { MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key }
  return { service, terminal: new CommandLine(t, folder, env) }
}

describe('the command line', () => {
  it('signs in once, and works with the profile from then on', async (t) => {
    const { service } = await openTerminal(t)
    const terminal = new CommandLine(t, await temporaryFolder(t))
    const wrong = await terminal.run(['login', service.address], { input: 'wrong-key\n' })
    assert.deepEqual([wrong.code, wrong.out], [1, ''])
    assert.match(wrong.err, /does not take the key/)
    const login = await terminal.run(['login', service.address, '--profile', 'here'], {
      input: `${service.key}\n`
    })
    assert.equal(login.code, 0, login.err)
    assert.match(login.out, /The profile "here" is kept in \S+ and in use/)
    assert.ok(!login.out.includes(service.key))
    assert.equal((await terminal.run(['flows'])).code, 0)
    assert.match((await terminal.run(['profiles'])).out, /^\* +here +http/m)
    assert.equal((await terminal.run(['logout'])).code, 0)
    assert.equal((await terminal.run(['flows', '--url', service.address])).code, 1)
  })

  it('says what is wrong in one line, and as JSON to programs', async (t) => {
    const { terminal } = await openTerminal(t, 'told-once')
    const absent = await terminal.run(['flows', 'show', 'told-onse'])
    assert.equal(absent.code, 1)
    assert.match(
      absent.err,
      /^The key sees no flow "told-onse" at \S+\. Did you mean "told-once"\? [^\n]+\n$/
    )
    const key = await terminal.run(['flows', '--key', 'wrong', '--json'])
    assert.equal(JSON.parse(key.err).error.code, 'unauthorized')
    const dead = await terminal.run(['runs', '--url', 'http://127.0.0.1:1'])
    assert.match(dead.err, /^Millrace does not answer at http:\/\/127\.0\.0\.1:1 .*--url/)
    const other = await listen(t, (_request, response) => response.end('<html>'))
    const foreign = await terminal.run(['flows', '--url', other])
    assert.deepEqual([foreign.code, /is no Millrace/.test(foreign.err)], [1, true])
  })

  it('ends with 1 where it is ended before there is an answer', async (t) => {
    const { terminal } = await openTerminal(t)
    const asked = Promise.withResolvers<void>()
    const slow = await listen(t, () => asked.resolve())
    const waiting = terminal.start(['flows', '--url', slow])
    await asked.promise
    assert.equal(await waiting.end(), 1)
    assert.deepEqual(waiting.text, { out: '', err: '' })
  })

  it('lists, shows and exports flows, and fits the terminal', async (t) => {
    const { terminal } = await openTerminal(t, 'a-flow-of-which-the-name-is-rather-long')
    const slug = 'a-flow-of-which-the-name-is-rather-long'
    const wide = await terminal.run(['flows'])
    assert.match(wide.out, new RegExp(`^FLOW .*\\n(?:.*\\n)*${slug}  ${slug}  /  +v1`))
    const narrow = await terminal.run(['flows'], { columns: 60, env: { NO_COLOR: '1' } })
    assert.ok(
      narrow.out.split('\n').every((line) => line.length <= 60),
      narrow.out
    )
    assert.ok((await terminal.run(['flows'], { columns: 60 })).out.includes('\x1b['), 'colours at a terminal')
    assert.match((await terminal.run(['flows', 'show', slug])).out, /^webhook-1 +webhook +parser-1$/m)
    const { nodes, edges, ...rest } = JSON.parse((await terminal.run(['flows', 'export', slug])).out)
    assert.deepEqual(rest, { name: slug, slug, context: '/' })
    assert.equal(nodes.length + edges.length, 3)
    const listed = JSON.parse((await terminal.run(['flows', '--json'])).out)
    assert.ok(listed.flows.some((flow: { slug: string }) => flow.slug === slug))
  })

  it('starts a flow, waits for its end, and keeps every digit', async (t) => {
    const { terminal } = await openTerminal(t, 'started')
    await writeFile(join(terminal.folder, 'order.json'), '{"order_id":12345678901234567890}')
    const good = await terminal.run(['trigger', 'started', '-d', '@order.json', '--wait', '--json'])
    assert.equal(good.code, 0, good.err)
    assert.match(good.out, /"order_id": 12345678901234567890/)
    assert.match(good.out, /"parsed_text": "Order 12345678901234567890"/)
    const failed = await terminal.run(['trigger', 'started', '-d', '{}', '--wait'])
    assert.equal(failed.code, 1)
    assert.match(failed.out, /^Status +failed$/m)
    const id = (
      await terminal.run(['trigger', 'started', '-d', '@-'], { input: '{"order_id":1}' })
    ).out.trim()
    const shown = await terminal.run(['runs', 'show', id, '--outputs'])
    assert.match(shown.out, /parser-1\.parsed_text\nOrder 1\n/)
  })

  it('says what was replayed, what was not and how to go on, where the service dies meanwhile', async (t) => {
    const { service, terminal } = await openTerminal(t, 'halfway')
    for (const n of [1, 2, 3, 4, 5])
      await terminal.run(['trigger', 'halfway', '-d', `{"wrong":${n}}`, '--wait'])
    let replays = 0
    const dying = await listen(t, async (request, response) => {
      if (request.method === 'POST' && ++replays > 2) return response.destroy()
      const answer = await fetch(`${service.address}${request.url}`, {
        method: request.method!,
        headers: { 'x-api-key': service.key }
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const { runs } = JSON.parse((await terminal.run(['runs', '--flow', 'halfway', '--json'])).out)
    const [third, fourth] = [...runs].reverse().slice(2)
    const chosen = ['runs', 'replay', '--flow', 'halfway', '--status', 'failed', '--since', '1h']
    const { out, err, code } = await terminal.run([...chosen, '--url', dying], { env: { MILLRACE_URL: '' } })
    assert.deepEqual([code, out], [1, '2 runs replayed.\n'])
    assert.match(err, new RegExp(`Millrace does not answer at ${dying}`))
    assert.match(err, new RegExp(`Whether run ${third.id} was replayed is not known`))
    assert.match(err, new RegExp(`2 runs not replayed, from ${fourth.id} on\\.`))
    assert.ok(!err.includes('the command was ended'), err)
    const [, command] = /^To go on with them: millrace (.*) --url \S+$/m.exec(err) ?? []
    const rest = await terminal.run([...command!.split(' '), '--dry-run', '--json'])
    assert.deepEqual(
      JSON.parse(rest.out).runs.map(({ id }: { id: string }) => id),
      [...runs]
        .reverse()
        .slice(3)
        .map(({ id }: { id: string }) => id),
      rest.err
    )
  })

  it('replays what failed, after it has said what that is', async (t) => {
    const { service, terminal } = await openTerminal(t, 'replayed')
    for (const body of ['{"wrong":1}', '{"wrong":2}', '{"order_id":3}'])
      await terminal.run(['trigger', 'replayed', '-d', body, '--wait'])
    const chosen = ['--flow', 'replayed', '--status', 'failed', '--since', '1h']
    const dry = await terminal.run(['runs', 'replay', ...chosen, '--dry-run'])
    assert.match(dry.err, /^2 runs would be replayed\. Nothing was done\.$/m)
    assert.equal(
      (await service.get('/api/v1/runs?flow_id=replayed')).json<{ runs: unknown[] }>().runs.length,
      3
    )
    const { out, err, code } = await terminal.run(['runs', 'replay', ...chosen])
    assert.deepEqual([code, out], [0, '2 runs replayed.\n'], err)
    assert.match(err, /replaying runs +100 % +2 of 2/)
    const { runs } = JSON.parse((await terminal.run(['runs', '--flow', 'replayed', '--json'])).out)
    const replays = runs.filter((run: { replay_of: string | null }) => run.replay_of !== null)
    assert.deepEqual(
      replays.map((run: { summary: string }) => run.summary),
      ['wrong: 2', 'wrong: 1'],
      'the oldest first'
    )
    assert.equal((await terminal.run(['runs', 'replay'])).code, 2)
    const good = await terminal.run([
      'runs',
      'retry',
      runs.find((run: { status: string }) => run.status === 'succeeded').id
    ])
    assert.deepEqual([good.code, good.out], [1, '0 runs retried.\n'])
  })

  it('follows runs live, and hands requests on without a gap while the service is away', async (t) => {
    const home = await temporaryFolder(t)
    const first = await startService(t, { home })
    await first.createFlow({ name: 'Heard', slug: 'heard', ...ORDERS })
    const PORT = new URL(first.address).port
    const terminal = new CommandLine(t, await temporaryFolder(t), {
      MILLRACE_URL: first.address,
      MILLRACE_API_KEY: first.key
    })
    const got: string[] = []
    const mine = await listen(t, async (request, response) => {
      got.push(`${request.method} ${request.url} ${request.headers['x-shop']} ${await buffer(request)}`)
      response.end()
    })
    const hearing = terminal.start(['listen', 'heard', '--forward', `${mine}/hooks?dev=1`])
    const tail = terminal.start(['runs', 'tail', 'heard', '--json'])
    await hearing.printed(/Ctrl-C/)
    const send = (id: number) =>
      terminal.run(['trigger', 'heard', '-d', `{"order_id":${id}}`, '-H', 'x-shop: eu'])
    await send(1)
    await hearing.printed(/ 200 /)
    await tail.printed(/"run\.ended"/)
    await first.stop()
    await startService(t, { home, env: { PORT } })
    assert.equal((await send(2)).code, 0)
    await eventually(() => got.length, 2)
    assert.deepEqual(
      got,
      [1, 2].map((id) => `POST /hooks?dev=1 eu {"order_id":${id}}`)
    )
    await tail.printed(/"run\.ended"[\s\S]*"run\.ended"/)
    assert.deepEqual(await Promise.all([hearing.end(), tail.end()]), [0, 0])
    for (const line of tail.text.out.trim().split('\n')) JSON.parse(line)
  })

  it('hands on what was told before the service went away, as soon as it is back', async (t) => {
    const home = await temporaryFolder(t)
    const first = await startService(t, { home })
    await first.createFlow({ name: 'Heard', slug: 'heard', ...ORDERS })
    const PORT = new URL(first.address).port
    const terminal = new CommandLine(t, await temporaryFolder(t), {
      MILLRACE_URL: first.address,
      MILLRACE_API_KEY: first.key
    })
    const got: string[] = []
    const { promise: looked, resolve: goOn } = Promise.withResolvers<void>()
    const mine = await listen(t, async (request, response) => {
      got.push(String(await buffer(request)))
      await looked
      response.end()
    })
    const hearing = terminal.start(['listen', 'heard', '--forward', mine])
    await hearing.printed(/Ctrl-C/)
    for (const id of [1, 2]) await terminal.run(['trigger', 'heard', '-d', `${id}`])
    await eventually(() => got.length, 1)
    await first.stop()
    goOn()
    await hearing.printed(/ 200 /)
    await startService(t, { home, env: { PORT } })
    await eventually(() => got, ['1', '2'])
    assert.equal(await hearing.end(), 0)
  })

  it('brings flows of other tools, and says what became of each node', async (t) => {
    const { service, terminal } = await openTerminal(t)
    const n8n = {
      name: 'From n8n',
      nodes: [
        {
          name: 'Hook',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          position: [0, 0],
          parameters: { path: 'x' }
        },
        {
          name: 'Odd',
          type: 'n8n-nodes-base.nothingLikeIt',
          typeVersion: 1,
          position: [200, 0],
          parameters: {}
        }
      ],
      connections: { Hook: { main: [[{ node: 'Odd', type: 'main', index: 0 }]] } }
    }
    await writeFile(join(terminal.folder, 'n8n.json'), JSON.stringify(n8n))
    const dry = await terminal.run(['import', 'n8n.json', '--dry-run'])
    assert.equal(dry.code, 0, dry.err)
    assert.match(dry.out, /^placeholder {2}Odd {2}n8n-nodes-base\.nothingLikeIt\n {13}\S/m)
    assert.match(dry.err, /1 flow would become drafts\. Nothing was saved/)
    const done = await terminal.run(['import', '-', '--json'], { input: JSON.stringify(n8n) })
    const [{ id }] = JSON.parse(done.out).flows
    assert.equal((await service.get(`/api/v1/flows/${id}/draft`)).status, 200)
    const absent = await terminal.run(['import', 'nothing.json'])
    assert.deepEqual([absent.code, absent.err], [1, 'nothing.json cannot be read: it is not there.\n'])
    assert.match((await terminal.run(['import', '-'], { input: 'no flow' })).err, /\S/)
  })

  it('makes, lists and revokes keys, and tries connections', async (t) => {
    const { service, terminal } = await openTerminal(t, 'shop')
    const made = await terminal.run([
      'keys',
      'create',
      'for the shop',
      '--flow',
      'shop',
      '--right',
      'trigger',
      '--right',
      'read',
      '--expires',
      '30d'
    ])
    const key = made.out.trim()
    assert.equal((await terminal.run(['flows', 'show', 'shop', '--key', key])).code, 0)
    assert.match((await terminal.run(['keys'])).out, /for the shop +\S+… +trigger, read +shop /)
    assert.equal((await terminal.run(['keys', 'revoke', 'for the shop'])).code, 0)
    assert.match((await terminal.run(['flows', '--key', key])).err, /does not take the key/)
    const mine = await listen(t, (_request, response) => response.end('{}'))
    const settings = { base_url: mine, auth: 'bearer' }
    await service.post('/api/v1/connections', {
      name: 'crm',
      kind: 'http',
      settings,
      secrets: { token: 'hidden-token' }
    })
    const shown = await terminal.run(['connections', 'show', 'crm'])
    assert.match(shown.out, /^token +\(set\)$/m)
    assert.ok(!(shown.out + (await terminal.run(['connections', '--json'])).out).includes('hidden-token'))
    assert.match((await terminal.run(['connections', 'test', 'crm'])).out, /^ok {2}/)
    assert.match((await terminal.run(['connections', 'test', 'crn'])).err, /Did you mean "crm"\?/)
  })
})

async function listen(t: TestContext, answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(t, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
