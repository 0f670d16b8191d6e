import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { GALLERY } from '../web/src/pages/flows/templates/gallery.ts'
import type { ApiClient, FlowBody, RunBody } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { eventually } from './support/eventually.ts'
import { SENDER_SECRET, startGalleryCounterparts } from './support/gallery-counterparts.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { shiftedClock, startService } from './support/service.ts'
import { BOT_TOKEN } from './support/shop-services.ts'

/** The flows that newcomers begin with, from end to end, as they stand in the gallery. */
const STORIES = [
  'telegram-bot',
  'new-posts',
  'nightly-report',
  'stock-list',
  'order-copy',
  'export-ready',
  'answers-from-notes',
  'invoice-form',
  'order-approval',
  'order-lookup',
  'payment-alert'
]

type Changes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The template, with some fields as this test needs them. */
function made(service: ApiClient, id: string, changes: Changes = {}): Promise<FlowBody> {
  const { document } = GALLERY.find((template) => template.id === id)!
  const nodes = document.nodes.map((node) => {
    const { retry, ...fields } = changes[node.id] ?? {}
    return { ...node, ...(retry !== undefined && { retry }), fields: { ...node.fields, ...fields } }
  })
  return service.createFlow({ ...document, nodes })
}

async function began(t: TestContext, options: Parameters<typeof startService>[1] = {}) {
  const service = await startService(t, options)
  return { service, others: await startGalleryCounterparts(t, service) }
}

async function runsOf(service: ApiClient, flow: FlowBody): Promise<RunBody[]> {
  const { runs } = (await service.get(`/api/v1/runs?flow_id=${flow.id}`)).json<{ runs: RunBody[] }>()
  return Promise.all(runs.map(({ id }) => service.waitForRun(id)))
}

function succeeded(run: RunBody): RunBody {
  assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  return run
}

async function saidIn(service: ApiClient, flow: FlowBody): Promise<string[]> {
  const answer = await service.get(`/api/v1/flows/${flow.id}/messages`)
  return answer.json<{ messages: { text: string }[] }>().messages.map(({ text }) => text)
}

function formOf(parts: readonly { name: string; filename?: string; content: string | Uint8Array }[]) {
  const pieces = parts.flatMap(({ name, filename, content }) => [
    `--part\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
    content,
    '\r\n'
  ])
  const body = Buffer.concat([...pieces, '--part--\r\n'].map((piece) => Buffer.from(piece as string)))
  const headers = { 'content-type': 'multipart/form-data; boundary=part', accept: 'application/json' }
  return { body, headers, key: null }
}

describe('a newcomer builds', () => {
  it('each of these without a node that only carries data', () => {
    for (const id of STORIES) {
      const { document } = GALLERY.find((template) => template.id === id)!
      // Those are what people wire to have two things at one place; here a template reads them from where they are.
      const carriers = document.nodes.filter(
        ({ type, fields }) =>
          ['merge', 'select', 'keep', 'transform', 'code'].includes(type) ||
          (type === 'parser' && /^\{[^{}]*\}$/.test(String(fields?.template)))
      )
      assert.deepEqual(carriers, [], id)
    }
  })

  it('a bot that remembers each person, and nobody else', async (t) => {
    const { service, others } = await began(t)
    const flow = await made(service, 'telegram-bot')
    const update = (id: number, chat: number, text: string) =>
      JSON.stringify({ update_id: id, message: { chat: { id: chat }, text } })
    const headers = { 'x-telegram-bot-api-secret-token': SENDER_SECRET }
    const send = (...sent: Parameters<typeof update>) =>
      service.run(flow.slug, update(...sent), { key: null, headers })
    const forged = await service.webhook(flow.slug, update(1, 7, 'Let me in.'), { key: null })
    assert.equal(forged.status, 401)
    for (const [id, chat, text] of [
      [1, 7, 'I am Ann.'],
      [2, 8, 'I am Bo.'],
      [3, 7, 'Who am I?']
    ] as const) {
      others.models.answer({ pieces: [`To ${text}`] })
      succeeded(await send(id, chat, text))
    }
    const again = await service.webhook(flow.slug, update(3, 7, 'Who am I?'), { key: null, headers })
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const last = JSON.stringify(others.models.calls.at(-1)!.body)
    for (const text of ['I am Ann.', 'To I am Ann.', 'Who am I?']) assert.ok(last.includes(text), text)
    assert.ok(!last.includes('Bo'))
    const sent = others.services.requests.filter(({ path }) => path === `/bot${BOT_TOKEN}/sendMessage`)
    assert.deepEqual(
      sent.map(({ body }) => JSON.parse(body)),
      [
        { chat_id: 7, text: 'To I am Ann.' },
        { chat_id: 8, text: 'To I am Bo.' },
        { chat_id: 7, text: 'To Who am I?' }
      ]
    )
  })

  it('a feed that is told of in the chat, each post once', async (t) => {
    const posts = ['a']
    const feed = await startMisbehavingServer({
      answers: {
        '/feed': (response) => {
          const items = posts.map(
            (id) =>
              `<item><guid>${id}</guid><title>On ${id}</title><link>https://blog.example/${id}</link></item>`
          )
          response.end(`<?xml version="1.0"?><rss version="2.0"><channel>${items.join('')}</channel></rss>`)
        }
      }
    })
    t.after(() => feed.stop())
    const { service } = await began(t, { env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })
    const flow = await made(service, 'new-posts', { 'watch-1': { url: feed.url('/feed'), every: '1s' } })
    await eventually(
      () => Promise.resolve(feed.requests.length),
      (count) => count > 0
    )
    posts.unshift('c', 'b')
    const told = ['**On b**\nhttps://blog.example/b', '**On c**\nhttps://blog.example/c']
    await eventually(() => saidIn(service, flow), told)
    const before = feed.requests.length
    await eventually(
      () => Promise.resolve(feed.requests.length),
      (count) => count > before + 1
    )
    assert.deepEqual(await saidIn(service, flow), told)
  })

  it('a report that is in the mail every morning, as HTML', async (t) => {
    const { clock, advance } = shiftedClock()
    const { service, others } = await began(t, { clock })
    const flow = await made(service, 'nightly-report', { 'schedule-1': { cron: '* * * * * *' } })
    advance(1000)
    await others.mail.took(1)
    const [mail] = others.mail.mails
    assert.deepEqual(mail!.to, ['team@shop.example'])
    assert.match(mail!.source, /^Subject: Orders, \d\d\.\d\d\.\d{4}\r$/m)
    assert.match(mail!.source, /<li><strong>sent<\/strong>: 2 orders, 94\.50/)
    assert.match(mail!.source, /- \*\*delivered\*\*: 1 orders, 1,264\.00/)
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
  })

  it('a list of 50,000 rows that is kept a thousand at a time, once', async (t) => {
    const { service, others } = await began(t)
    const flow = await made(service, 'stock-list')
    const rows = Array.from({ length: 50_000 }, (_, at) => `SKU-${at},${at % 97}`)
    const list = { name: 'list', filename: 'stock.csv', content: ['sku,quantity', ...rows].join('\n') }
    const sum = 'select count(*) as rows, sum(quantity) as quantity from stock'
    for (const _ of [1, 2]) {
      const { body, ...options } = formOf([list])
      const answer = await service.post(`/form/${flow.slug}`, body, options)
      assert.equal(answer.status, 202, answer.text)
      succeeded(await service.waitForRun(answer.json<{ run_id: string }>().run_id))
      const quantity = rows.reduce((total, _, at) => total + (at % 97), 0)
      assert.deepEqual(others.rows(sum), [{ rows: 50_000, quantity }])
    }
    assert.equal((await saidIn(service, flow))[0], '50,000 rows of stock.csv are in the database.')
  })

  it('a copy of fifty pages of an API that refuses every twentieth request', async (t) => {
    const { service, others } = await began(t)
    Object.assign(others.services, { pages: 50, refuseEach: 20 })
    const flow = await made(service, 'order-copy', {
      'api-request-1': { retry: { attempts: 8, backoff_ms: 10 } }
    })
    const run = (await service.post(`/api/v1/run/${flow.id}`, { input: {} })).json<RunBody>()
    assert.equal(succeeded(run).steps.find(({ node }) => node === 'api-request-1')!.attempts, 3)
    assert.deepEqual(others.rows('select count(*) as rows, sum(total) as total from shop_orders'), [
      { rows: 1000, total: 501_000 }
    ])
    const pages = others.services.requests.map(({ query }) => Number(query.get('page')))
    assert.equal(pages.length, 53, 'fifty, the empty one, and two that were refused')
    assert.deepEqual([...new Set(pages)].length, 51)
  })

  it('an export that is waited for until it is done', async (t) => {
    const { service, others } = await began(t)
    others.services.patience = 3
    const flow = await made(service, 'export-ready', { 'repeat-1': { pause: '1s' } })
    succeeded(await service.run(flow.slug, '{"day":"2026-03-02"}'))
    assert.deepEqual(await saidIn(service, flow), [
      'The export of 2026-03-02 is ready: https://shop.example/e-1.csv'
    ])
    const asked = others.services.requests.filter(({ path }) => path === '/exports/e-1')
    assert.equal(asked.length, 4)
  })

  it('answers from texts of their own', async (t) => {
    const { service, others } = await began(t)
    const flow = await made(service, 'answers-from-notes', { 'split-text-1': { length: 120, overlap: 0 } })
    const notes = [
      'The mill is open from Tuesday to Saturday, from nine to five.',
      'Rye flour is ground on Wednesdays, wheat flour on Fridays.',
      'Dogs may come into the yard, and wait there for their people.',
      'Parking is behind the barn, and costs nothing for guests of the bakery.',
      'The wheel was built in 1784 by Lindqvist and his brothers.'
    ]
    for (const [at, text] of notes.entries())
      succeeded(await service.run(flow.slug, JSON.stringify({ title: `Note ${at}`, text })))
    succeeded(await service.run(flow.slug, JSON.stringify({ title: 'Note 0', text: notes[0] })))
    assert.deepEqual(others.rows('select count(*) as pieces from pieces'), [{ pieces: notes.length }])
    others.models.answer({ pieces: ['On Fridays.'] })
    const answer = await service.post(`/api/v1/flows/${flow.id}/chat`, {
      text: 'When is wheat flour ground?'
    })
    assert.equal(answer.status, 202, answer.text)
    succeeded(await service.waitForRun(answer.json<{ run_id: string }>().run_id))
    const asked = JSON.stringify(others.models.calls.at(-1)!.body)
    assert.match(asked, /Notes:\\nNote 1\\n\\nRye flour is ground.*Question: When is wheat flour ground\?/)
    assert.deepEqual(await saidIn(service, flow), ['When is wheat flour ground?', 'On Fridays.'])
  })

  it('one flow that two teams use, each with its own connection', async (t) => {
    const { service } = await began(t)
    const desks = await Promise.all(
      ['/sales', '/support'].map(async (context) => {
        await makeContext(service, context)
        const desk = await startMisbehavingServer()
        t.after(() => desk.stop())
        const connection = {
          name: 'desk',
          kind: 'http',
          context,
          settings: { base_url: desk.origin, auth: 'bearer' }
        }
        const secrets = { token: `token-of-${context.slice(1)}` }
        const answer = await service.post('/api/v1/connections', { ...connection, secrets })
        assert.equal(answer.status, 201, answer.text)
        return { context, desk }
      })
    )
    const library = await service.createFlow({
      name: 'Tell the desk',
      slug: 'tell-the-desk',
      nodes: [
        { id: 'in', type: 'webhook' },
        {
          id: 'tell',
          type: 'api-request',
          fields: { connection: 'desk', method: 'POST', url: '/echo', body: { about: '{order}' } }
        },
        { id: 'out', type: 'return' }
      ],
      edges: [
        { from: 'in.data', to: 'tell.data' },
        { from: 'tell.body', to: 'out.data' }
      ]
    })
    for (const { context, desk } of desks) {
      const caller = await service.createFlow({
        name: 'Orders',
        context,
        nodes: [
          { id: 'in', type: 'webhook' },
          { id: 'call', type: 'run-flow', fields: { flow: library.slug, run_in: "The caller's context" } }
        ],
        edges: [{ from: 'in.data', to: 'call.data' }]
      })
      succeeded(await service.run(caller.slug, '{"order":7}'))
      const [request, ...more] = desk.requests
      assert.equal(request!.headers.authorization, `Bearer token-of-${context.slice(1)}`)
      assert.deepEqual([JSON.parse(request!.body), more], [{ about: 7 }, []])
    }
  })

  it('invoices that are read from PDF into the books', async (t) => {
    const { service, others } = await began(t)
    const flow = await made(service, 'invoice-form')
    const { sample } = GALLERY.find(({ id }) => id === 'invoice-form')!
    const { base64 } = (sample as { invoice: { base64: string } }).invoice
    for (const _ of [1, 2]) {
      const { body, ...options } = formOf([
        { name: 'email', content: 'ann@example.com' },
        { name: 'invoice', filename: 'mill.pdf', content: Buffer.from(base64, 'base64') }
      ])
      const answer = await service.post(`/form/${flow.slug}`, body, options)
      assert.equal(answer.status, 202, answer.text)
      succeeded(await service.waitForRun(answer.json<{ run_id: string }>().run_id))
    }
    assert.deepEqual(others.rows('select * from invoices'), [
      {
        number: '2026-17',
        sender: 'Mill & Sons',
        total: 120.5,
        currency: 'EUR',
        handed_in_by: 'ann@example.com'
      }
    ])
  })

  it('an order that a person decides on by mail, and the customer hears of', async (t) => {
    const { service, others } = await began(t)
    const flow = await made(service, 'order-approval')
    const order = { number: 1042, total: 1264.5, customer: { name: 'Ann', email: 'ann@mail.example' } }
    const id = await service.start(flow.slug, JSON.stringify(order))
    await others.mail.took(1)
    const [asked] = others.mail.mails
    assert.match(asked!.source, /Ann orders for 1,264\.50/)
    const link = /https?:\/\/\S+/.exec(asked!.source.replaceAll('=\r\n', '').replaceAll('=3D', '='))![0]
    const page = await service.request('GET', new URL(link).pathname, { key: null })
    assert.match(page.text, /Deliver 1042 to Ann for 1,264\.50/)
    const body = Buffer.from('choice=Reject&comment=Sold out.')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const decided = await service.request('POST', new URL(link).pathname, { key: null, body, headers })
    assert.equal(decided.status, 303, decided.text)
    succeeded(await service.waitForRun(id))
    const [, told, ...more] = others.mail.mails
    assert.deepEqual([told!.to, more], [['ann@mail.example'], []])
    assert.match(told!.source, /we cannot deliver order 1042\.\r\nSold out\./)
  })

  it('a GET that is answered from the database', async (t) => {
    const { service } = await began(t)
    const { slug } = await made(service, 'order-lookup')
    const found = await service.get(`/api/v1/webhook/${slug}?number=1042`)
    assert.deepEqual([found.status, found.json()], [200, { number: 1042, total: 89.5, state: 'sent' }])
    assert.match(found.headers.get('content-type')!, /^application\/json/)
    const absent = await service.get(`/api/v1/webhook/${slug}?number=${encodeURIComponent("1' or 1=1")}`)
    assert.deepEqual([absent.status, absent.json()], [404, { error: "There is no order 1' or 1=1." }])
  })

  it('payments that are proven, and each told in its channel', async (t) => {
    const { service, others } = await began(t)
    const flow = await made(service, 'payment-alert')
    const { sample } = GALLERY.find(({ id }) => id === 'payment-alert')!
    const send = (event: object, secret = SENDER_SECRET) => {
      const body = JSON.stringify(event)
      const time = Math.floor(Date.now() / 1000)
      const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
      const headers = { 'stripe-signature': `t=${time},v1=${signature}` }
      return service.webhook(flow.slug, body, { key: null, headers })
    }
    const dispute = {
      id: 'evt_2',
      type: 'charge.dispute.created',
      data: { object: { amount: 500, reason: 'fraudulent' } }
    }
    assert.equal((await send(dispute, 'a secret of somebody else')).status, 401)
    for (const event of [sample as object, dispute, { id: 'evt_3', type: 'payout.paid' }, sample as object])
      assert.equal((await send(event)).status, 202)
    const runs = await runsOf(service, flow)
    assert.deepEqual([runs.length, runs.every(succeeded)], [3, true])
    const told = others.services.requests.map(({ headers, body }) => {
      assert.equal(headers.authorization, 'Bearer xoxb-of-the-tests')
      return JSON.parse(body) as { channel: string; text: string }
    })
    assert.deepEqual(told.map(({ channel }) => channel).toSorted(), ['#finance', '#sales'])
    assert.equal(
      told.find(({ channel }) => channel === '#sales')!.text,
      'ann@example.com has paid 126450 cents.'
    )
  })
})
