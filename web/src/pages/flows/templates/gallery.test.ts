import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dataComponents } from '../../../../../src/components/data/data-components.ts'
import {
  runGallerySample,
  startGalleryCounterparts
} from '../../../../../test/support/gallery-counterparts.ts'
import { startService } from '../../../../../test/support/service.ts'
import { COMPONENT_TITLES } from './component-titles.ts'
import { GALLERY } from './gallery.ts'

/** What the Playground shows for each template's own sample. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  'shop-order': [
    '**Order 1042** from Ann Lindqvist\n2 × Desk lamp, LAMP-07\nTotal 1,264.50 EUR, to Gothenburg\nNote: none'
  ],
  'monitoring-alert': [
    '**DiskFull** is firing (critical)\nLess than 5 % of the disk is free.\nWhere: db-3:9100, since 2026-03-02T04:12:09Z'
  ],
  'survey-answer': [
    'Summarise this answer in one sentence, and say whether somebody should call back.\n\nFrom: Mika, Team, 6 of 10\nLiked: The runs are easy to find.\nMissed: A phone number to call.'
  ],
  'contact-form': [
    '**Jo Marsh** (jo@example.com) writes about A question:\n\nDo you offer invoices by the year?'
  ],
  'form-post': ['**Jo Marsh** (jo@example.com) writes from /pricing:\n\nDo you offer invoices by the year?'],
  'repository-event': [
    'octo pushed to example/mill, refs/heads/main\nTurn the wheel the other way\nhttps://github.com/example/mill/compare/6113728f27ae...0d1a26e67d8f'
  ],
  'price-list': [],
  parcel: ['Parcel **PX-7** is booked: https://labels.example/PX-7.pdf'],
  'order-confirmation': ['Confirmed to ann@mail.example'],
  'customer-webhook': ['Order.paid was delivered: the customer answered 202'],
  'customer-orders': ['Order 1042: 89.50, sent\nOrder 977: 1264.00, delivered'],
  'order-lines': [
    'Line 2 needs a look: Node "parser-1" (Parser) failed: {shelf} (line 1, column 36) has no value: the data has the keys order, sku, quantity. Write {shelf?} if it may be absent.'
  ],
  'savings-plan': ['After 10 years there are 20,476.24, and the goal was 20,000.'],
  'cart-total': ['Ann Lindqvist pays 251.37 €: 205.20 and 46.17 VAT.'],
  'refund-approval': ['Refund R-311: 129.50 € to Ann Lindqvist, approved. Fine.'],
  'nightly-report': [],
  'order-copy': ['20 orders were copied.'],
  'stock-list': ['3 rows of stock.csv are in the database.'],
  'invoice-form': ['Invoice **2026-17** of Mill & Sons: 120.50 EUR, new rows: 1'],
  'order-approval': [],
  'order-lookup': [],
  'export-ready': ['The export of 2026-03-02 is ready: https://shop.example/e-1.csv'],
  'payment-alert': [],
  'telegram-bot': ['Where do the runs of a flow go when they are done?', 'Into the list of runs.'],
  'answers-from-notes': [],
  'totals-by-customer': [
    'Ann Lindqvist: 1,264.50, orders: 1, last 2026-03-02\nJo Marsh: 20.10, orders: 2, last 2026-03-03\nMill & Sons; Ltd: 0.30, orders: 2, last 2026-03-02'
  ],
  'delivery-list': [
    'day,order,name,street,city\n2026-03-05,1042,Ann Lindqvist,Storgatan 5,Gothenburg\n2026-03-06,1043,"Mill & Sons, Ltd",2 Weir Lane,Malmö\n2026-03-06,1044,Ann Lindqvist,Storgatan 5,Gothenburg\n'
  ],
  'page-headlines': [
    '[The wheel turns](https://mill.example/wheel)\n[Flour & bread](https://mill.example/bread)',
    '[Open on Sunday](https://mill.example/open)'
  ],
  'order-by-mail': [
    '**Two lamps** from Ann Lindqvist <ann@example.com>\n\nTwo of LAMP-07, please.\n\nAttached: order.csv'
  ],
  'alerts-with-limit': ['**DiskFull** on db-3, 1 of 3 this hour\nLess than 5 % of the disk is free.'],
  'raffle-tickets': ['Ann, Jo, Mika, Ann, Vera', '000000: Ann\n000000: Jo\n000000: Mika\n000000: Vera'],
  'new-posts': ['**How we bake bread**\nhttps://blog.example/2026/bread'],
  'failed-runs': [
    '**orders** failed (template_missing_key)\nNode "parser-1" failed: the data has no "customer".\nRun 019b2f6e-6c00-7000-8000-000000000001'
  ],
  'ticket-triage': ['**delivery**, urgent: true\n\nWe are looking for your lamp, Ann.'],
  'model-chat': [
    'Good morning! Where do the runs of a flow go when they are done?',
    'Into the list of runs.'
  ],
  'order-agent': ['Where is my order 7, and how much is its value added tax?', 'Into the list of runs.'],
  troubleshooting: []
}

describe('the gallery of templates', () => {
  it('has a flow for each that the service takes as it is, and that runs its sample to its end', async (t) => {
    const service = await startService(t)
    await startGalleryCounterparts(t, service)
    for (const { id, document, sample } of GALLERY) {
      const flow = await service.createFlow({ ...document })
      const run = await runGallerySample(service, flow, sample)
      assert.equal(run.status, 'succeeded', `${id}: ${run.error?.message}`)
      const { messages } = (await service.get(`/api/v1/flows/${flow.id}/messages`)).json<{
        messages: { text: string; session: string }[]
      }>()
      const said = messages
        .filter(({ session }) => session !== 'payloads')
        // Tickets are drawn.
        .map(({ text }) => text.replaceAll(/^\d{6}(?=: )/gm, '000000'))
      const raw = JSON.stringify(sample, null, 2)
      assert.deepEqual(said, id === 'troubleshooting' ? [raw] : SAID[id], id)
    }
  })

  it('calls every node on its way as the palette does', async (t) => {
    const service = await startService(t)
    const { components } = (await service.get('/api/v1/components')).json<{
      components: { type: string; title: string }[]
    }>()
    const titles = new Map(components.map(({ type, title }) => [type, title]))
    const used = new Set(GALLERY.flatMap(({ document }) => document.nodes.map(({ type }) => type)))
    assert.deepEqual(COMPONENT_TITLES, Object.fromEntries([...used].map((type) => [type, titles.get(type)])))
  })

  it('shows every component at work that computes, keeps or sends', () => {
    const shown = new Set(GALLERY.flatMap(({ document }) => document.nodes.map(({ type }) => type)))
    const types = ['code', 'transform', 'keep', 'send-email', 'send-webhook']
    const missing = [...types, ...dataComponents.map(({ type }) => type)].filter((type) => !shown.has(type))
    assert.deepEqual(missing, [])
  })

  it('gives each an id, a title and a summary of its own', () => {
    for (const member of ['id', 'title', 'summary'] as const) {
      assert.equal(new Set(GALLERY.map((template) => template[member])).size, GALLERY.length)
    }
  })
})
