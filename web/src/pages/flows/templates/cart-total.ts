import type { FlowTemplate } from './flow-template.ts'

const LINES = `{
  "customer": customer.name,
  "lines": [lines[quantity > 0].{ "net": price * quantity, "vat": vat }]
}`

const TOTAL = `interface Line { net: number; vat: number }

const lines: Line[] = data.lines
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
const cents = (amount: number) => Math.round(amount * 100) / 100

const gross = sum(lines.map(({ net }) => net))
const discount = gross >= 200 ? 0.1 : 0
console.log(lines.length, 'lines, discount', discount)

const net = gross * (1 - discount)
const tax = sum(lines.map((line) => (line.net * (1 - discount) * line.vat) / 100))
return { customer: data.customer, net: cents(net), tax: cents(tax), total: cents(net + tax) }`

export const cartTotal: FlowTemplate = {
  id: 'cart-total',
  title: 'Total of a cart, by code',
  summary: 'A shop sends a cart. Transform picks the lines that count, and Code works out discount and VAT.',
  document: {
    name: 'Cart totals',
    description: 'Works out what a cart costs, with a discount for large ones and VAT by line.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'transform-1',
        type: 'transform',
        title: 'Lines that count',
        position: { x: 380, y: 0 },
        fields: { expression: LINES }
      },
      {
        id: 'code-1',
        type: 'code',
        title: 'Discount and VAT',
        position: { x: 760, y: 0 },
        fields: { code: TOTAL }
      },
      {
        id: 'parser-1',
        type: 'parser',
        position: { x: 1140, y: 0 },
        fields: { template: '{customer} pays {total:.2f} €: {net:.2f} and {tax:.2f} VAT.' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1520, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'transform-1.data' },
      { from: 'transform-1.data', to: 'code-1.data' },
      { from: 'code-1.result', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'What the code logs stands under its output, here and on the page of the run.',
        position: { x: 760, y: -140 },
        size: { width: 320, height: 100 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    customer: { name: 'Ann Lindqvist' },
    lines: [
      { sku: 'LAMP-07', quantity: 2, price: 99, vat: 25 },
      { sku: 'BOOK-03', quantity: 1, price: 30, vat: 6 },
      { sku: 'GIFT-01', quantity: 0, price: 5, vat: 25 }
    ]
  }
}
