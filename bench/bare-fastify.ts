import Fastify from 'fastify'

/**
 * The reference of every ratio: the least that a Fastify server can do with the same request. It parses the JSON
 * and answers 202; it stores nothing, checks nothing and runs nothing.
 */
const app = Fastify({ logger: false })
app.post('/', (_request, reply) => {
  reply.code(202).send({ message: 'Task started in the background', status: 'in progress' })
})
console.log(`Bare Fastify is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
