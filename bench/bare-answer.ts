import Fastify from 'fastify'

/**
 * The reference of answers: a Fastify server that computes the same as the flow does. It parses the JSON, fills in the template and
 * answers with JSON; it stores nothing.
 */
const app = Fastify({ logger: false })
app.post('/', (request, reply) => {
  const { order_id, customer } = request.body as { order_id: number; customer: string }
  reply.code(200).send({ text: `Order ${order_id} from ${customer}` })
})
console.log(`Bare Fastify is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
