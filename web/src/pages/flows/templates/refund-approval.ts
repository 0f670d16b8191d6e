import type { FlowTemplate } from './flow-template.ts'

export const refundApproval: FlowTemplate = {
  id: 'refund-approval',
  title: 'Approval of a refund',
  summary:
    'A shop asks for a refund. Small ones are paid at once; large ones wait until a person has decided.',
  document: {
    name: 'Refunds',
    description: 'Pays small refunds at once and asks a person about large ones, for up to a week.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'if-else-1',
        type: 'if-else',
        title: 'More than 50?',
        position: { x: 380, y: 0 },
        fields: { left: '{amount}', operator: 'is greater than', right: '50' }
      },
      {
        id: 'approve-1',
        type: 'approve',
        title: 'Ask a person',
        position: { x: 760, y: 0 },
        fields: { question: 'Refund {amount:.2f} € to {customer}?\nReason: {reason}', timeout: '7d' }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Paid at once',
        position: { x: 1140, y: 420 },
        fields: { template: 'Refund {refund}: {amount:.2f} € to {customer}, paid at once.' }
      },
      {
        id: 'parser-2',
        type: 'parser',
        title: 'Approved',
        position: { x: 1140, y: -140 },
        fields: {
          template: 'Refund {data.refund}: {data.amount:.2f} € to {data.customer}, approved. {comment}'
        }
      },
      {
        id: 'parser-3',
        type: 'parser',
        title: 'Rejected',
        position: { x: 1140, y: 40 },
        fields: { template: 'Refund {data.refund} was rejected. {comment}' }
      },
      {
        id: 'parser-4',
        type: 'parser',
        title: 'Nobody decided',
        position: { x: 1140, y: 220 },
        fields: { template: 'Nobody has decided on refund {data.refund} within a week.' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1520, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'if-else-1.data' },
      { from: 'if-else-1.true', to: 'approve-1.data' },
      { from: 'if-else-1.false', to: 'parser-1.data' },
      { from: 'approve-1.approve', to: 'parser-2.data' },
      { from: 'approve-1.reject', to: 'parser-3.data' },
      { from: 'approve-1.timed_out', to: 'parser-4.data' },
      { from: 'parser-2.parsed_text', to: 'chat-output-1.text' },
      { from: 'parser-3.parsed_text', to: 'chat-output-1.text' },
      { from: 'parser-4.parsed_text', to: 'chat-output-1.text' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'The question stands under *Approvals*. To ask somebody without a key, send them the link: `{$approve.approve-1}` gives it in any template, in a mail for instance.',
        position: { x: 620, y: -200 },
        size: { width: 360, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    refund: 'R-311',
    order: 1042,
    customer: 'Ann Lindqvist',
    amount: 129.5,
    reason: 'The lamp came broken.'
  }
}
