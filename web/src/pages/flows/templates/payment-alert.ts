import type { FlowTemplate } from './flow-template.ts'

export const paymentAlert: FlowTemplate = {
  id: 'payment-alert',
  title: 'Stripe to Slack',
  summary: 'Stripe tells of payments and disputes, and proves that it is Stripe. Each goes to its channel.',
  document: {
    name: 'Payments to Slack',
    description: 'Tells sales of payments, and finance of disputes.',
    nodes: [
      {
        id: 'webhook-1',
        type: 'webhook',
        position: { x: 0, y: 0 },
        fields: {
          auth: 'Signature',
          signature_scheme: 'Stripe',
          connection: 'stripe-webhook',
          deduplicate_by: '{id}'
        }
      },
      {
        id: 'switch-1',
        type: 'switch',
        title: 'What happened?',
        position: { x: 380, y: 0 },
        fields: { value: '{type}', cases: ['checkout.session.completed', 'charge.dispute.created'] }
      },
      {
        id: 'api-request-1',
        type: 'api-request',
        title: 'Tell sales',
        position: { x: 800, y: -140 },
        retry: { attempts: 4, backoff_ms: 2000 },
        fields: {
          connection: 'slack',
          method: 'POST',
          url: '/chat.postMessage',
          body: {
            channel: '#sales',
            text: '{data.object.customer_details.email} has paid {data.object.amount_total} cents.'
          }
        }
      },
      {
        id: 'api-request-2',
        type: 'api-request',
        title: 'Tell finance',
        position: { x: 800, y: 140 },
        retry: { attempts: 4, backoff_ms: 2000 },
        fields: {
          connection: 'slack',
          method: 'POST',
          url: '/chat.postMessage',
          body: {
            channel: '#finance',
            text: 'Dispute over {data.object.amount} cents: {data.object.reason}. Answer before it is lost.'
          }
        }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'switch-1.data' },
      { from: 'switch-1.checkout-session-completed', to: 'api-request-1.data' },
      { from: 'switch-1.charge-dispute-created', to: 'api-request-2.data' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *stripe-webhook* with the signing secret of the endpoint, and *slack* (the preset Slack). Events of other kinds leave by `default`, and go nowhere.',
        position: { x: 0, y: -180 },
        size: { width: 360, height: 120 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    id: 'evt_1T6qkA2eZvKYlo2C',
    object: 'event',
    type: 'checkout.session.completed',
    data: {
      object: {
        id: 'cs_live_a1',
        amount_total: 126_450,
        currency: 'eur',
        customer_details: { email: 'ann@example.com', name: 'Ann Lindqvist' }
      }
    }
  }
}
