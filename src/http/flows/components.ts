import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Registration } from '../../contexts/registration.ts'
import { MillraceError } from '../../errors.ts'
import { type AnyComponent, defaultOf, type Field, resolveFields } from '../../flows/component/component.ts'
import { hasDynamicInputs, inputPortsOf } from '../../flows/component/component-ports.ts'
import { MOST_FIELDS } from '../../flows/document/flow-document.ts'
import { inTurns, type Pacer } from '../../flows/in-turns.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { checkFields } from '../../flows/validate/check-fields.ts'
import { AnswerPace } from '../../runs/present/answer-pace.ts'
import { type AskedContextDeps, askedContext, ContextQuery } from '../contexts/asked-context.ts'
import { DOCUMENT_BODY } from '../requests/body-limits.ts'
import { gzipAnswer } from '../requests/gzip-answer.ts'
import { PathText } from '../schemas.ts'
import type { ServiceDeps } from '../service-deps.ts'
import { Component, PortMap } from './component-schemas.ts'

const tags = ['Components']

const InputsQuestion = Type.Object({
  fields: Type.Record(Type.String(), Type.Unknown(), { maxProperties: MOST_FIELDS })
})

type InputsQuestion = Static<typeof InputsQuestion>
type JsonFields = Record<string, JsonValue>

/** The catalogue that a flow in a context sees, with all that a page needs to draw a node. */
export function componentRoutes(
  app: FastifyInstance,
  deps: AskedContextDeps & Pick<ServiceDeps, 'clock'>
): void {
  const { tree, clock } = deps
  app.get<{ Querystring: ContextQuery }>(
    '/api/v1/components',
    {
      config: { access: 'read' },
      onSend: gzipAnswer,
      schema: {
        tags,
        operationId: 'listComponents',
        summary: 'The components that a flow in a context can use',
        refuses: ['context_not_found'],
        querystring: ContextQuery,
        response: { 200: Type.Object({ components: Type.Array(Component) }) }
      }
    },
    async (request) => {
      const context = askedContext(request, deps)
      return { components: tree.visible(context, 'component').map(presentComponent) }
    }
  )

  app.post<{ Params: { type: string }; Querystring: ContextQuery; Body: InputsQuestion }>(
    '/api/v1/components/:type/inputs',
    {
      config: { access: 'read' },
      bodyLimit: DOCUMENT_BODY,
      schema: {
        tags,
        operationId: 'readComponentInputs',
        summary: 'The inputs that a node of this type has with these fields',
        refuses: ['context_not_found', 'component_not_found', 'component_failed'],
        params: Type.Object({ type: PathText }),
        querystring: ContextQuery,
        body: InputsQuestion,
        response: { 200: Type.Object({ inputs: PortMap }) }
      }
    },
    async (request) => {
      const context = askedContext(request, deps)
      const component = tree.find(context, 'component', request.params.type)?.value as
        | AnyComponent
        | undefined
      if (component === undefined) throw componentNotFound(context, request.params.type)
      await assertSound(component, request.body.fields, new AnswerPace(clock))
      // To judge a long field takes a turn of its own.
      await turnOfTheLoop()
      return { inputs: inputPortsOf(component, resolveFields(component, request.body.fields as JsonFields)) }
    }
  )
}

/** As a save would find them: a component is never asked with fields that it would refuse. */
async function assertSound(
  component: AnyComponent,
  fields: InputsQuestion['fields'],
  pacer: Pacer
): Promise<void> {
  const node = { id: component.type, type: component.type, position: { x: 0, y: 0 }, fields }
  const faults = await inTurns(checkFields(node, component, ''), pacer)
  if (faults.length === 0) return
  const code = faults[0]!.code === 'component_failed' ? 'component_failed' : 'invalid_request'
  throw new MillraceError(code, faults[0]!.message, { errors: faults })
}

function componentNotFound(context: string, type: string): MillraceError {
  return new MillraceError(
    'component_not_found',
    `A flow in the context "${context}" sees no component "${type}". GET /api/v1/components lists those that it sees.`
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
    keywords: component.keywords ?? [],
    example: component.example ?? null,
    context: registration.context,
    owner: registration.owner,
    effects: component.effects ?? 'external',
    placeholder: component.placeholder ?? false,
    trigger: component.trigger ?? null,
    fields: Object.fromEntries(
      Object.entries((component.fields ?? {}) as Record<string, Field>).map(([name, field]) => [
        name,
        { ...field, default: defaultOf(field) }
      ])
    ),
    /** Those that matter most, to be edited on the node itself. */
    main_fields: component.mainFields ?? [],
    inputs: component.inputs ?? {},
    /** Every variable of the template in this field is an input of the type `any`. */
    inputs_from_template: component.inputsFromTemplate ?? null,
    /** Inputs follow from the fields. Where a template does not tell which, POST …/inputs does. */
    has_dynamic_inputs: hasDynamicInputs(component),
    /** So many inputs `in_1`, `in_2` … as this field says. */
    inputs_from_count: component.inputsFromCount ?? null,
    outputs: component.outputs ?? {},
    /** Every text of the list in this field is an output of the type `any`. */
    outputs_from_list: component.outputsFromList ?? null,
    region: component.region ?? null
  }
}
