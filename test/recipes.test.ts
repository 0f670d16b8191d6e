import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Answer, FlowBody } from './support/api-client.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import {
  type GalleryCounterparts,
  SENDER_SECRET,
  startGalleryCounterparts
} from './support/gallery-counterparts.ts'
import { blocksOf } from './support/guide.ts'
import { ROOT, type Service, startService } from './support/service.ts'
import { BOT_TOKEN } from './support/shop-services.ts'

const file = lifetimeOfFile()
let service: Service
let others: GalleryCounterparts
let seen = 0

/** Each recipe as it stands in the guide, by its name. */
const RECIPES = new Map(
  blocksOf(readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8'))
    .filter(({ language }) => language === 'json')
    .map(({ lines }) => JSON.parse(lines.join('\n')) as { name: string })
    .map((document) => [document.name, document])
)

before(async () => {
  service = await startService(file)
  others = await startGalleryCounterparts(file, service)
  for (const name of ['github-webhook', 'slack-webhook', 'shopify-webhook']) {
    const made = await service.post('/api/v1/connections', {
      name,
      kind: 'webhook',
      settings: {},
      secrets: { signing_secret: SENDER_SECRET }
    })
    assert.equal(made.status, 201, made.text)
  }
})

const made = (name: string): Promise<FlowBody> => service.createFlow({ ...RECIPES.get(name)! })
const seconds = () => String(Math.floor(Date.now() / 1000))
const hmac = (text: string, secret: string) => createHmac('sha256', secret).update(text)

/** What a sender writes beside a body that it signs with a secret. */
type Sign = (body: string, secret: string) => Readonly<Record<string, string>>

/** The event is taken, once where it is known by something, and one that somebody else has signed is not. */
async function sent(flow: FlowBody, event: object, sign: Sign): Promise<void> {
  const body = JSON.stringify(event)
  const send = (secret: string): Promise<Answer> =>
    service.webhook(flow.slug, body, { key: null, headers: sign(body, secret) })
  assert.equal((await send('a secret of somebody else')).status, 401)
  const first = await send(SENDER_SECRET)
  assert.equal(first.status, 202, first.text)
  const run = await service.waitForRun(first.json<{ run_id: string }>().run_id)
  assert.equal(run.status, 'succeeded', run.error?.message)
  assert.equal((await send(SENDER_SECRET)).headers.get('idempotent-replayed'), 'true')
}

/** What was asked of the services at this path since the last time. */
function asked(path: string): unknown[] {
  const calls = others.services.requests.slice(seen)
  seen += calls.length
  return calls.filter((call) => call.path === path).map(({ body }) => JSON.parse(body))
}

describe('each recipe, with a sender that signs as the real one does:', () => {
  it('Stripe', async () => {
    const flow = await made('Stripe disputes')
    const sign: Sign = (body, secret) => {
      const time = seconds()
      return { 'stripe-signature': `t=${time},v1=${hmac(`${time}.${body}`, secret).digest('hex')}` }
    }
    const object = { amount: 500, reason: 'fraudulent', customer_email: 'ann@mail.example', amount_due: 900 }
    await sent(flow, { id: 'evt_1', type: 'charge.dispute.created', data: { object } }, sign)
    await sent(flow, { id: 'evt_2', type: 'invoice.payment_failed', data: { object } }, sign)
    await sent(flow, { id: 'evt_3', type: 'customer.created', data: { object } }, sign)
    assert.deepEqual(asked('/chat.postMessage'), [
      { channel: '#finance', text: 'Dispute over 500 cents: fraudulent.' },
      { channel: '#sales', text: 'ann@mail.example could not pay 900 cents.' }
    ])
  })

  it('GitHub', async () => {
    const flow = await made('Urgent issues')
    let delivery = 0
    const event = async (payload: object) => {
      const id = String(++delivery)
      const sign: Sign = (body, secret) => ({
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${hmac(body, secret).digest('hex')}`
      })
      await sent(flow, payload, sign)
    }
    const issue = { title: 'It burns', html_url: 'https://github.example/1' }
    const repository = { full_name: 'mill/race' }
    await event({ action: 'labeled', label: { name: 'urgent' }, issue, repository })
    await event({ action: 'labeled', label: { name: 'later' }, issue, repository })
    await event({ zen: 'Design for failure.', repository })
    assert.deepEqual(asked('/chat.postMessage'), [
      { channel: '#support', text: 'It burns (mill/race): https://github.example/1' }
    ])
  })

  it('Slack, its question too', async () => {
    const flow = await made('Slack mentions')
    const sign: Sign = (body, secret) => {
      const time = seconds()
      const signature = hmac(`v0:${time}:${body}`, secret).digest('hex')
      return { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${signature}` }
    }
    const question = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1a' })
    const headers = sign(question, SENDER_SECRET)
    assert.equal((await service.webhook(flow.slug, question, { key: null, headers })).text, '3eZbrw1a')
    const event = { type: 'app_mention', channel: 'C1', user: 'U1', ts: '1.5', text: 'water the plants' }
    await sent(flow, { event_id: 'Ev1', event }, sign)
    assert.deepEqual(asked('/chat.postMessage'), [
      { channel: 'C1', thread_ts: '1.5', text: '<@U1> I have noted: water the plants' }
    ])
  })

  it('Shopify', async () => {
    const flow = await made('Large orders')
    const order = async (id: string, total_price: string) => {
      const sign: Sign = (body, secret) => ({
        'x-shopify-webhook-id': id,
        'x-shopify-hmac-sha256': hmac(body, secret).digest('base64')
      })
      await sent(flow, { name: `#${id}`, total_price, currency: 'EUR', email: 'ann@mail.example' }, sign)
    }
    await order('1001', '1264.50')
    await order('1002', '499.99')
    assert.deepEqual(asked('/chat.postMessage'), [
      { channel: '#sales', text: 'Order #1001: 1264.50 EUR from ann@mail.example' }
    ])
  })

  it('Telegram', async () => {
    const flow = await made('Telegram echo')
    const sign: Sign = (_, secret) => ({ 'x-telegram-bot-api-secret-token': secret })
    await sent(flow, { update_id: 7, message: { chat: { id: 42 }, text: 'Hello' } }, sign)
    assert.deepEqual(asked(`/bot${BOT_TOKEN}/sendMessage`), [{ chat_id: 42, text: 'You said: Hello' }])
  })

  it('the nightly report', async () => {
    const flow = await made('Orders of the night')
    const run = (await service.post(`/api/v1/run/${flow.slug}`, { input: {} })).json<{
      status: string
      error: unknown
    }>()
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    await others.mail.took(1)
    const [mail] = others.mail.mails
    assert.match(mail!.source, /^Subject: Orders, \d\d\.\d\d\.\d{4}\r$/m)
    assert.match(mail!.source, /sent: 2 orders, 94\.50/)
  })
})
