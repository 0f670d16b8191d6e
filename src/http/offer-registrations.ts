import type { FastifyInstance } from 'fastify'
import type { ContextTree } from '../contexts/context-tree.ts'
import type { RegistrationKind } from '../contexts/registration.ts'
import { type AnyComponent, checkDefinition } from '../flows/component.ts'
import { assertRunHook } from '../runs/run-hooks.ts'
import { assertFreeName } from '../runs/step-arguments.ts'
import { contextOf } from './context-of.ts'
import { originHere } from './registration-origin.ts'

/** What a plugin can call on its context, besides what Fastify offers. */
export interface PluginContext {
  component(definition: AnyComponent): void
  decorateRun(name: string, value: unknown): void
  addRunHook(name: string, hook: AnyHook): void
  variable(name: string, value: string | number | boolean): void
}

// biome-ignore lint/suspicious/noExplicitAny: what a hook takes follows from its name, and is checked when it is called
type AnyHook = (...args: any[]) => unknown

declare module 'fastify' {
  interface FastifyInstance extends PluginContext {}
}

/** Instances inherit from the root, and each call goes to the context of the instance that it is made on. */
export function offerRegistrations(root: FastifyInstance, tree: ContextTree): void {
  const register = (instance: FastifyInstance, kind: RegistrationKind, name: string, value: unknown) => {
    tree.register(contextOf(instance), { kind, name, value, ...originHere('millrace') })
  }
  const offered: PluginContext & ThisType<FastifyInstance> = {
    component(definition) {
      checkDefinition(definition)
      register(this, 'component', definition.type, definition)
    },
    decorateRun(name, value) {
      assertFreeName(name)
      register(this, 'decoration', name, value)
    },
    addRunHook(name, hook) {
      assertRunHook(name, hook)
      register(this, 'hook', name, hook)
    },
    variable(name, value) {
      register(this, 'variable', name, value)
    }
  }
  for (const [name, method] of Object.entries(offered)) root.decorate(name as never, method as never)
}
