import type { FlowTemplate } from './flow-template.ts'

export const orderByMail: FlowTemplate = {
  id: 'order-by-mail',
  title: 'Order by mail',
  summary:
    'Your mail service hands on a mail as it came. Its text is read, and what is attached becomes files.',
  document: {
    name: 'Orders by mail',
    description: 'Reads a mail, and tells who wrote what and what is attached.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'extract-text-1',
        type: 'extract-text',
        title: 'Read the mail',
        position: { x: 340, y: 0 },
        fields: {}
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'What it says',
        position: { x: 680, y: 0 },
        fields: {
          template: '**{subject}** from {from}\n\n{text}\n\nAttached: {attachments[0].filename?nothing}'
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1020, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'extract-text-1.file' },
      { from: 'extract-text-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'The same node reads PDF, Word, Excel and PowerPoint: send such a file in the place of the mail.',
        position: { x: 340, y: -140 },
        size: { width: 360, height: 90 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    payload:
      'From: Ann Lindqvist <ann@example.com>\r\nTo: orders@mill.example\r\nSubject: Two lamps\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=part\r\n\r\n--part\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nTwo of LAMP-07, please.\r\n--part\r\nContent-Type: text/csv; name=order.csv\r\nContent-Disposition: attachment; filename=order.csv\r\n\r\nsku;qty\r\nLAMP-07;2\r\n--part--\r\n'
  }
}
