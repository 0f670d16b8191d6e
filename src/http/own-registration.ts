import type { FastifyInstance } from 'fastify'
import type { ContextTree } from '../contexts/context-tree.ts'
import { namedPlugin } from './named-plugin.ts'
import { asRivalsFailure } from './plugins/record-fastify.ts'
import { asMillrace } from './plugins/registration-origin.ts'

/** What Millrace itself registers is not the plugin's, in whose context it may stand. */
export function registerOwn(
  instance: FastifyInstance,
  tree: ContextTree,
  body: (scope: FastifyInstance) => unknown
): void {
  const own = namedPlugin('millrace', async (scope) => {
    try {
      await asMillrace(() => body(scope))
    } catch (error) {
      throw asRivalsFailure(error, tree)
    }
  })
  asMillrace(() => instance.register(own))
}
