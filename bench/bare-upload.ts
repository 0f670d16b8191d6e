import { open } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'

/**
 * The reference of uploads: a Fastify server that writes what it gets into a file of its own, syncs it and answers 202. It digests nothing,
 * names nothing and runs nothing.
 */
const folder = process.argv[2]!
let written = 0
const app = Fastify({ logger: false })
app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
app.post('/', async (request, reply) => {
  written += 1
  const file = await open(join(folder, String(written)), 'wx')
  try {
    for await (const part of request.body as AsyncIterable<Uint8Array>) await file.write(part)
    await file.datasync()
  } finally {
    await file.close()
  }
  return reply.code(202).send({ message: 'Task started in the background', status: 'in progress' })
})
console.log(`Bare Fastify is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
