import {
  compileTemplateTree,
  defineComponent,
  type Field,
  type FieldFault,
  type FieldValues,
  inField,
  inTurns,
  isPlainObject,
  type JsonValue,
  type Step,
  scopeOf,
  type TemplateScope,
  type TemplateTree,
  templateTreeFaults
} from '../../../plugin-api.ts'
import { bodySource } from '../build-body.ts'
import { LONGEST_URL } from '../build-url.ts'
import { ANSWER_FIELDS } from '../fields.ts'
import { type PaginationKind, readPagination } from '../paginate.ts'
import { paginationFaults } from '../pagination-faults.ts'
import { boundaryOf, sendAndRead } from '../send-request.ts'
import { buildOperationRequest } from './build-request.ts'
import { buildOperationBody } from './operation-body.ts'

const FIELDS = {
  connection: {
    kind: 'connection',
    title: 'Connection',
    help: 'One with an OpenAPI document. Requests go to its base URL.',
    kinds: ['http']
  },
  operation: {
    kind: 'text',
    title: 'Operation',
    help: 'Its id in the document, or its method and path.',
    placeholder: 'GET /pets/{id}'
  },
  parameters: {
    kind: 'json',
    title: 'Parameters',
    help: 'An object of templates, by the names of the parameters. An optional value that is absent is left out.',
    placeholder: '{ "id": "{pet_id}" }'
  },
  body: {
    kind: 'json',
    title: 'Body',
    help: 'An object of templates, or one template. Empty: the data.',
    placeholder: '{ "name": "{name}" }'
  },
  ...ANSWER_FIELDS
} as const satisfies Record<string, Field>

type Values = FieldValues<typeof FIELDS>

/** Calls an operation of an API that its OpenAPI document describes, and gives out what it answers. */
export const apiOperation = defineComponent({
  type: 'api-operation',
  title: 'API Operation',
  description: 'Calls an operation of an API by its OpenAPI document.',
  category: 'Reach out',
  icon: 'world',
  keywords: ['openapi', 'swagger', 'api', 'rest', 'http', 'operation', 'endpoint', 'sdk', 'client', 'call'],
  example: 'Create an issue: the document of the API says which fields it takes.',
  fields: FIELDS,
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    body: { title: 'Body', type: 'any' },
    response: { title: 'Response', type: 'any' }
  },
  check: faultsOf,
  prepare: prepareOperation,
  // Of one that is named by its id only the document tells the method.
  acts: ({ operation }, isOpen) => isOpen('operation') || !/^\s*(?:get|head)\s/i.test(operation),
  run: callOperation
})

function faultsOf(fields: Values): FieldFault[] {
  const faults: FieldFault[] = []
  if (fields.operation.trim() === '') {
    const message = 'No operation is chosen. Choose one, or write its id or GET /path.'
    faults.push({ field: 'operation', code: 'operation_missing', message })
  }
  const { parameters } = fields
  if (parameters !== null && parameters !== '' && !isPlainObject(parameters)) {
    const message = 'It takes an object whose texts are templates, such as { "id": "{pet_id}" }.'
    faults.push({ field: 'parameters', message })
  }
  for (const field of ['parameters', 'body', 'items', 'next'] as const)
    faults.push(...templateTreeFaults(fields[field]).map((fault) => ({ field, ...fault })))
  return [...faults, ...paginationFaults(fields)]
}

function prepareOperation(fields: Values) {
  const { parameters } = fields
  return {
    operation: fields.operation.trim(),
    parameters: isPlainObject(parameters) ? compileTemplateTree(parameters) : undefined,
    body: bodySource(fields.body),
    pagination: readPagination({ ...fields, pagination: fields.pagination as PaginationKind })
  }
}

type OperationStep = Step<
  typeof FIELDS,
  { readonly data: { readonly title: string; readonly type: 'any' } },
  ReturnType<typeof prepareOperation>
>

async function callOperation(step: OperationStep) {
  const { fields, prepared, inputs, run } = step
  const data = inputs.data as JsonValue | undefined
  const scope = scopeOf(data, run.variables)
  const connection = step.connection(fields.connection, ['http'])
  const operation = await connection.operation(prepared.operation)
  const values = inField('parameters', () => valuesOf(prepared.parameters, scope))
  const { url, headers } = await inTurns(buildOperationRequest(operation, values), step)
  const given = { source: prepared.body, data, scope, boundary: boundaryOf(step.idempotencyKey) }
  const body = await inTurns(buildOperationBody(operation, given), step)
  const { pagination } = prepared
  return sendAndRead({ step, fields, pagination, method: operation.method, url, headers, body, connection })
}

function valuesOf(templates: TemplateTree | undefined, { data, variables }: TemplateScope) {
  const values = templates?.render(data, variables, LONGEST_URL)
  return isPlainObject(values) ? values : {}
}
