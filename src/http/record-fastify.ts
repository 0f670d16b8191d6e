import type { FastifyInstance } from 'fastify'
import type { ContextTree } from '../contexts/context-tree.ts'
import { provenance, type RegistrationKind } from '../contexts/registration.ts'
import { MillraceError } from '../errors.ts'
import type { AnyPlugin } from '../share.ts'
import { contextOf } from './context-of.ts'
import { currentOwner, originHere } from './registration-origin.ts'

/** How the decorators of each of Fastify's objects are called in the tree. */
const DECORATES = { decorate: '', decorateRequest: 'request.', decorateReply: 'reply.' } as const

/**
 * Writes down what plugins register by Fastify's own methods, so that it can be shown and explained. Fastify
 * itself does not know who added what, and its error for a double names neither.
 */
export function recordFastify(root: FastifyInstance, tree: ContextTree): void {
  const record = (instance: FastifyInstance, kind: RegistrationKind, name: string) => {
    if (currentOwner() === undefined) return
    tree.register(contextOf(instance), { kind, name, value: undefined, ...originHere('millrace') })
  }
  const methods = root as unknown as Record<string, AnyPlugin>
  for (const [method, prefix] of Object.entries(DECORATES)) {
    const decorate = methods[method]!
    methods[method] = function (this: FastifyInstance, name: string, ...rest: unknown[]) {
      const called = `${prefix}${name}`
      try {
        decorate.call(this, name, ...rest)
      } catch (error) {
        throw namedDouble(error, called, tree, contextOf(this))
      }
      record(this, 'decorator', called)
      return this
    }
  }
  const addHook = methods.addHook!
  methods.addHook = function (this: FastifyInstance, name: string, hook: unknown) {
    addHook.call(this, name, hook)
    record(this, 'hook', name)
    return this
  }
  addHook.call(
    root,
    'onRoute',
    function (this: FastifyInstance, route: { method: string | string[]; url: string }) {
      record(this, 'route', `${[route.method].flat().join(', ')} ${route.url}`)
    }
  )
}

function namedDouble(error: unknown, name: string, tree: ContextTree, path: string): unknown {
  if ((error as { code?: string }).code !== 'FST_ERR_DEC_ALREADY_PRESENT') return error
  const rival = tree.find(path, 'decorator', name)
  const who =
    rival === undefined ? 'Fastify, Millrace or the host application has it' : `it is ${provenance(rival)}`
  return new MillraceError(
    'registration_refused',
    `${originHere('millrace').owner} cannot register the decorator "${name}" in ${path}: ${who} already. Give it another name.`
  )
}
