import type { FastifyInstance } from 'fastify'

export const NONE = { auth: 'None' }

export async function guarded(context: FastifyInstance): Promise<void> {
  context.addHook('onRequest', async (request, reply) => {
    if (request.headers['x-pass'] !== 'yes') return reply.code(401).send({ guard: request.url })
  })
}
