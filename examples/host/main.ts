import Fastify from 'fastify'
import millrace, { type Context } from 'millrace'

const app = Fastify()

app.decorate('crm', { cityOf: (customer: string) => (customer === 'Ann' ? 'Bremen' : 'Kiel') })
app.get('/', async () => 'The shop')
app.register(millrace, {
  prefix: '/flows',
  home: process.env.SHOP_HOME ?? '.shop',
  apiKey: process.env.SHOP_KEY,
  plugins: [shop]
})

async function shop(context: Context) {
  const crm = context.getDecorator<Crm>('crm')
  context.component({
    type: 'city',
    title: 'City of a customer',
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    run: ({ inputs }) => ({ text: crm.cityOf(inputs.data.customer) })
  })
}

interface Crm {
  cityOf(customer: string): string
}

process.once('SIGTERM', () => app.close())
const address = await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) })
process.stdout.write(`The shop is open at ${address}\n`)
