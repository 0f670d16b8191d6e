import type { FlowTemplate } from './flow-template.ts'

export const stockList: FlowTemplate = {
  id: 'stock-list',
  title: 'CSV into a database',
  summary: 'Somebody uploads a CSV of any length. Its rows go into the database, a thousand at a time.',
  document: {
    name: 'Stock list',
    description: 'Takes the list of what is in stock as CSV, and keeps the database up to date with it.',
    nodes: [
      {
        id: 'form-1',
        type: 'form',
        position: { x: 0, y: 0 },
        fields: {
          title: 'Stock list',
          fields: [
            {
              name: 'list',
              label: 'List',
              type: 'file',
              required: true,
              help: 'A CSV with the columns sku and quantity.'
            }
          ],
          thanks: 'Thank you. The list is being read.'
        }
      },
      {
        id: 'convert-1',
        type: 'convert',
        title: 'Read the CSV',
        position: { x: 380, y: 0 },
        fields: { mode: 'CSV to rows', field: 'list', typed: true }
      },
      {
        id: 'batch-1',
        type: 'batch',
        title: 'A thousand at a time',
        position: { x: 760, y: 0 },
        fields: { size: 1000, field: 'list' }
      },
      {
        id: 'for-each-1',
        type: 'for-each',
        title: 'Each thousand',
        position: { x: 1140, y: -60 },
        size: { width: 420, height: 260 },
        fields: {}
      },
      {
        id: 'sql-1',
        type: 'sql',
        title: 'Keep them',
        parent: 'for-each-1',
        position: { x: 1230, y: 40 },
        fields: {
          connection: 'stock-database',
          query:
            "insert into stock (sku, quantity)\nselect value->>'sku', value->>'quantity' from json_each(:rows) where true\non conflict (sku) do update set quantity = excluded.quantity",
          parameters: { rows: '{$data}' }
        }
      },
      {
        id: 'aggregate-1',
        type: 'aggregate',
        title: 'All of them',
        position: { x: 1660, y: 0 },
        fields: { aggregates: [{ operation: 'sum', field: 'count', as: 'rows' }] }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'For people',
        position: { x: 2040, y: 0 },
        fields: {
          template: '{rows:,} rows of {$nodes.form-1.data.list.filename?the list} are in the database.'
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 2420, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'form-1.data', to: 'convert-1.data' },
      { from: 'convert-1.data', to: 'batch-1.data' },
      { from: 'batch-1.data', to: 'for-each-1.items' },
      { from: 'for-each-1.item', to: 'sql-1.data' },
      { from: 'sql-1.result', to: 'for-each-1.result' },
      { from: 'for-each-1.results', to: 'aggregate-1.data' },
      { from: 'aggregate-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *stock-database* of the kind SQLite; in PostgreSQL the rows are `json_array_elements(:rows::json)`. A list that is sent again changes nothing: the SKU is the key.',
        position: { x: 1140, y: -220 },
        size: { width: 420, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    list: {
      base64: 'c2t1LHF1YW50aXR5CkxBTVAtMDcsMTIKREVTSy0wMiwzCkJVTEItMDIsNDAwCg==',
      filename: 'stock.csv',
      content_type: 'text/csv'
    }
  }
}
