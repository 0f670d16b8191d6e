import type { FlowTemplate } from './flow-template.ts'

export const invoiceForm: FlowTemplate = {
  id: 'invoice-form',
  title: 'Invoices by form',
  summary:
    'Somebody uploads an invoice as PDF. A model reads number, sender and total, and they become a row.',
  document: {
    name: 'Invoices',
    description: 'Reads invoices that are uploaded, and enters them into the books.',
    nodes: [
      {
        id: 'form-1',
        type: 'form',
        position: { x: 0, y: 0 },
        fields: {
          title: 'Hand in an invoice',
          fields: [
            { name: 'email', label: 'Your email', type: 'email', required: true },
            {
              name: 'invoice',
              label: 'Invoice',
              type: 'file',
              required: true,
              help: 'A PDF with text in it.'
            }
          ],
          thanks: 'Thank you. {invoice} is being read.'
        }
      },
      {
        id: 'extract-text-1',
        type: 'extract-text',
        title: 'Read the PDF',
        position: { x: 380, y: 0 },
        fields: { field: 'invoice' }
      },
      {
        id: 'language-model-1',
        type: 'language-model',
        title: 'Find what counts',
        position: { x: 760, y: 0 },
        fields: {
          connection: 'models',
          model: 'gpt-5-mini',
          system: 'You read invoices. Take what is asked out of the text, and invent nothing.',
          schema: {
            type: 'object',
            properties: {
              number: { type: 'string' },
              from: { type: 'string' },
              total: { type: 'number' },
              currency: { type: 'string' }
            },
            required: ['number', 'from', 'total', 'currency'],
            additionalProperties: false
          }
        }
      },
      {
        id: 'sql-1',
        type: 'sql',
        title: 'Enter it',
        position: { x: 1140, y: 0 },
        fields: {
          connection: 'books',
          query:
            'insert into invoices (number, sender, total, currency, handed_in_by)\nvalues (:number, :sender, :total, :currency, :email)\non conflict (number, sender) do nothing',
          parameters: {
            number: '{number}',
            sender: '{from}',
            total: '{total}',
            currency: '{currency}',
            email: '{$nodes.form-1.data.email}'
          }
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'For people',
        position: { x: 1520, y: 0 },
        fields: {
          template:
            'Invoice **{$nodes.language-model-1.data.number}** of {$nodes.language-model-1.data.from}: {$nodes.language-model-1.data.total:,.2f} {$nodes.language-model-1.data.currency}, new rows: {count}'
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1900, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'form-1.data', to: 'extract-text-1.file' },
      { from: 'extract-text-1.text', to: 'language-model-1.text' },
      { from: 'language-model-1.data', to: 'sql-1.data' },
      { from: 'sql-1.result', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make the connections *models* and *books*, a database. The answer of the model has to fit its **Schema**; an invoice that is handed in twice is one row.',
        position: { x: 760, y: -160 },
        size: { width: 360, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    email: 'ann@example.com',
    invoice: {
      base64:
        'JVBERi0xLjQKMSAwIG9iago8PCAvVHlwZSAvQ2F0YWxvZyAvUGFnZXMgMiAwIFIgPj4KZW5kb2JqCjIgMCBvYmoKPDwgL1R5cGUgL1BhZ2VzIC9LaWRzIFs0IDAgUl0gL0NvdW50IDEgPj4KZW5kb2JqCjMgMCBvYmoKPDwgL1R5cGUgL0ZvbnQgL1N1YnR5cGUgL1R5cGUxIC9CYXNlRm9udCAvSGVsdmV0aWNhID4+CmVuZG9iago0IDAgb2JqCjw8IC9UeXBlIC9QYWdlIC9QYXJlbnQgMiAwIFIgL01lZGlhQm94IFswIDAgNTk1IDg0Ml0gL0NvbnRlbnRzIDUgMCBSIC9SZXNvdXJjZXMgPDwgL0ZvbnQgPDwgL0YxIDMgMCBSID4+ID4+ID4+CmVuZG9iago1IDAgb2JqCjw8IC9MZW5ndGggMTMxIC9GaWx0ZXIgL0ZsYXRlRGVjb2RlID4+CnN0cmVhbQp42mXLsQrCMBSF4d2nOJPoYD03JWl1FKo4uOj1AURbicYEqgi+vZBFpNs/fP9KMV8LRKDdSEAQAktUNaEPTHY+BIxxSPE5hd7+iHOZbOM7+XMLQ+NmUg2YNZlteh8vPl6ROpQk7rn6T7vEwhUkmuN+8JZ1fjW9TgFiWNifa/QLOocsrwplbmRzdHJlYW0KZW5kb2JqCnhyZWYKMCA2CjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDAwOSAwMDAwMCBuIAowMDAwMDAwMDU4IDAwMDAwIG4gCjAwMDAwMDAxMTUgMDAwMDAgbiAKMDAwMDAwMDE4NSAwMDAwMCBuIAowMDAwMDAwMzExIDAwMDAwIG4gCnRyYWlsZXIKPDwgL1NpemUgNiAvUm9vdCAxIDAgUiA+PgpzdGFydHhyZWYKNTE0CiUlRU9GCg==',
      filename: 'invoice.pdf',
      content_type: 'application/pdf'
    }
  }
}
