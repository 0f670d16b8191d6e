import type { FastifyInstance } from 'fastify'
import type { ContextTree } from '../../contexts/context-tree.ts'
import type { RegistrationKind } from '../../contexts/registration.ts'
import { checkDefinition } from '../../flows/component/check-definition.ts'
import type { AnyComponent, ComponentDefinition, Fields } from '../../flows/component/component.ts'
import { variableValue } from '../../flows/component/context-variables.ts'
import type { Ports } from '../../flows/component/ports.ts'
import { assertRunHook, type RunHookName, type RunHooks } from '../../runs/steps/run-hooks.ts'
import { assertFreeName } from '../../runs/steps/run-view.ts'
import { contextOf } from './context-of.ts'
import { originHere } from './registration-origin.ts'

/** What a plugin can call on its context, besides what Fastify offers. */
export interface PluginContext {
  /** Brings a component: the flows that see this context can use it. `run` is typed by the definition. */
  component<
    const F extends Fields = Record<never, never>,
    const I extends Ports = Record<never, never>,
    const O extends Ports = Record<never, never>,
    P = undefined,
    R = undefined
  >(definition: ComponentDefinition<F, I, O, P, R>): void
  /** Adds a member to `run`, for every step and run hook of the flows that see it. */
  decorateRun(name: string, value: unknown): void
  /** Adds a hook around the runs of the flows that see it; see `RunHooks`. */
  addRunHook<N extends RunHookName>(name: N, hook: RunHooks[N]): void
  /** Sets what `{$name}` reads in the templates and fields of the flows that see it. */
  variable(name: string, value: string | number | boolean): void
}

declare module 'fastify' {
  interface FastifyInstance extends PluginContext {}
  interface RegisterOptions {
    /** The name of the context that the plugin gets; the function's where it is left out. */
    context?: string
  }
}

/** Instances inherit from the root, and each call goes to the context of the instance that it is made on. */
export function offerRegistrations(root: FastifyInstance, tree: ContextTree): void {
  const register = (instance: FastifyInstance, kind: RegistrationKind, name: string, value: unknown) => {
    tree.register(contextOf(instance), { kind, name, value, ...originHere('millrace') })
  }
  const offered: PluginContext & ThisType<FastifyInstance> = {
    component(definition) {
      const visible = tree.visible(contextOf(this), 'component').map(({ value }) => value as AnyComponent)
      checkDefinition(definition, visible)
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
      register(this, 'variable', name, variableValue(name, value))
    }
  }
  for (const [name, method] of Object.entries(offered)) root.decorate(name as never, method as never)
}
