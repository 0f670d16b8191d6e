import type { FastifyPluginAsync } from 'fastify'

const NAME = Symbol.for('fastify.display-name')

/** Fastify looks for the file of a plugin that has no such name among all modules that are loaded: up to a millisecond each. */
export function namedPlugin(name: string, plugin: FastifyPluginAsync): FastifyPluginAsync {
  return Object.assign(plugin, { [NAME]: name })
}
