import type { Context } from 'millrace'

export default async function sales(context: Context) {
  context.component({
    type: 'quote',
    title: 'Quote',
    effects: 'pure',
    fields: { discount: { kind: 'number', title: 'Discount in percent', min: 0, max: 100 } },
    inputs: { data: { title: 'Order', type: 'data' } },
    outputs: { data: { title: 'Quote', type: 'data' } },
    run: ({ inputs, fields }) => {
      const { customer, price } = inputs.data
      return { data: { customer, total: price * (1 - fields.discount / 100) } }
    }
  })
  context.register(eu)
}

async function eu(context: Context) {
  context.component({
    type: 'vat',
    title: 'VAT',
    effects: 'pure',
    inputs: { data: { title: 'Quote', type: 'data' } },
    outputs: { data: { title: 'Quote', type: 'data' } },
    run: ({ inputs }) => ({ data: { ...inputs.data, total: inputs.data.total * 1.2 } })
  })
}
