import Fastify from 'fastify'
import { Agent, request } from 'undici'

/**
 * The reference of calls to others: the least that a Fastify server can do that hands what it gets on. It parses the
 * JSON, calls the upstream with it, parses its answer and answers 202; it stores nothing.
 */
const [upstream = ''] = process.argv.slice(2)
const dispatcher = new Agent()
const app = Fastify({ logger: false })
app.post('/', async (incoming, reply) => {
  const { body } = await request(upstream, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(incoming.body),
    dispatcher
  })
  await body.json()
  reply.code(202)
  return { message: 'Task started in the background', status: 'in progress' }
})
console.log(`The bare caller is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
