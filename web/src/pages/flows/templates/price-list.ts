import type { FlowTemplate } from './flow-template.ts'

export const priceList: FlowTemplate = {
  id: 'price-list',
  title: 'REST endpoint',
  summary: 'A GET with an article in its address is answered with the price as JSON, or with 404.',
  document: {
    name: 'Price of an article',
    description: 'Answers GET …?sku=LAMP-07 with the price of the article.',
    nodes: [
      {
        id: 'webhook-1',
        type: 'webhook',
        position: { x: 0, y: 0 },
        fields: { methods: ['GET'], respond: 'When the flow answers', respond_within: '10s' }
      },
      {
        id: 'transform-1',
        type: 'transform',
        title: 'Find the article',
        position: { x: 380, y: 0 },
        fields: {
          expression:
            '(\n  $prices := {"LAMP-07": 89.5, "DESK-02": 1264};\n  {"sku": sku, "price": $lookup($prices, sku)}\n)'
        }
      },
      {
        id: 'if-else-1',
        type: 'if-else',
        title: 'Is there one?',
        position: { x: 740, y: 0 },
        fields: { left: '{price?}', operator: 'is not empty', right: '' }
      },
      {
        id: 'respond-1',
        type: 'respond',
        title: 'The price',
        position: { x: 1080, y: -120 },
        fields: {
          status: '200',
          headers: { 'Cache-Control': 'max-age=60' },
          body: { sku: '{sku}', price: '{price}', currency: 'EUR' }
        }
      },
      {
        id: 'respond-2',
        type: 'respond',
        title: 'No such article',
        position: { x: 1080, y: 160 },
        fields: { status: '404', body: { error: 'There is no article {sku?}.' } }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'transform-1.data' },
      { from: 'transform-1.data', to: 'if-else-1.data' },
      { from: 'if-else-1.true', to: 'respond-1.data' },
      { from: 'if-else-1.false', to: 'respond-2.data' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'The caller waits until a *Respond* has run: see *Respond* of the Webhook. What is after the question mark of the address is the data.',
        position: { x: 0, y: -160 },
        size: { width: 320, height: 120 },
        colour: 'yellow'
      }
    ]
  },
  sample: { sku: 'LAMP-07' }
}
