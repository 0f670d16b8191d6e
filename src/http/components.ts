import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { ContextTree } from '../contexts/context-tree.ts'
import type { Registration } from '../contexts/registration.ts'
import { MillraceError } from '../errors.ts'
import { type AnyComponent, defaultOf, type Field } from '../flows/component.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import { knowsContext } from './access.ts'

const tags = ['Components']

export interface ComponentRoutesDeps {
  readonly tree: ContextTree
  readonly library: FlowLibrary
}

/** The catalogue that a flow in a context sees, with all that a page needs to draw a node. */
export function componentRoutes(app: FastifyInstance, { tree, library }: ComponentRoutesDeps): void {
  app.get<{ Querystring: { context?: string } }>(
    '/api/v1/components',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'The components that a flow in a context can use',
        querystring: Type.Object({
          context: Type.Optional(Type.String({ description: 'Path of a context' }))
        })
      }
    },
    async (request) => {
      const context = request.query.context ?? '/'
      if (!tree.has(context) || !knowsContext(request, library, context)) throw contextNotFound(context)
      return { components: tree.visible(context, 'component').map(presentComponent) }
    }
  )
}

function contextNotFound(context: string): MillraceError {
  return new MillraceError(
    'context_not_found',
    `There is no context "${context}". GET /api/v1/contexts lists the contexts.`
  )
}

function presentComponent(registration: Registration) {
  const component = registration.value as AnyComponent
  return {
    type: component.type,
    title: component.title,
    description: component.description ?? '',
    category: component.category ?? 'Other',
    icon: component.icon ?? null,
    context: registration.context,
    owner: registration.owner,
    effects: component.effects ?? 'external',
    trigger: component.trigger ?? null,
    fields: Object.fromEntries(
      Object.entries((component.fields ?? {}) as Record<string, Field>).map(([name, field]) => [
        name,
        { ...field, default: defaultOf(field) }
      ])
    ),
    inputs: component.inputs ?? {},
    /** Further inputs follow from the fields, such as one per variable of a template. */
    has_dynamic_inputs: component.inputsFor !== undefined,
    outputs: component.outputs ?? {}
  }
}
