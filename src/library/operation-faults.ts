import type { Fault } from '../errors.ts'
import { didYouMean } from '../flows/closest-name.ts'
import { readsVariables } from '../flows/component/context-variables.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import { isPlainObject } from '../flows/json/exact-json.ts'
import type { ApiOperation } from '../flows/step/api-operation.ts'
import { flowInvalid } from './flow-refusals.ts'

/** What flows of a context find by the name of a connection. */
export interface FlowOperations {
  /** Undefined where nothing can be said: there is no such connection yet. */
  find(
    context: string,
    connection: string,
    operation: string
  ): Promise<ApiOperation | 'no document' | 'no operation' | undefined>
}

interface Verdict {
  /** They keep a flow from being published. */
  readonly faults: readonly Fault[]
  readonly warnings: readonly Fault[]
}

/** How the nodes of a document stand that call operations of APIs, with what the documents of these say now. */
export async function operationFaults(
  document: FlowDocument | undefined,
  { operations }: { readonly operations?: FlowOperations }
): Promise<Verdict> {
  if (document === undefined || operations === undefined) return { faults: [], warnings: [] }
  const { nodes, context } = document
  const faults: Fault[] = []
  const warnings: Fault[] = []
  for (const [index, node] of nodes.entries()) {
    const called = calledBy(node)
    if (called === undefined) continue
    const found = await operations.find(context, called.connection, called.operation)
    const verdict = verdictOf(node, found, called)
    const whole = (fault: NodeFault): Fault => ({
      ...fault,
      node: node.id,
      path: `/nodes/${index}/fields/${fault.field}`,
      message: `Field "${fault.field}" of node "${node.id}": ${fault.message}`
    })
    faults.push(...verdict.faults.map(whole))
    warnings.push(...verdict.warnings.map(whole))
  }
  return { faults, warnings }
}

/** Throws with what keeps calls of the document from being made as they are. */
export async function assertCallable(
  document: FlowDocument,
  around: { readonly operations?: FlowOperations }
): Promise<void> {
  const { faults } = await operationFaults(document, around)
  if (faults.length > 0) throw flowInvalid(faults)
}

interface Called {
  readonly connection: string
  readonly operation: string
}

/** A variable is filled in only when the flow runs. */
function calledBy({ type, disabled, fields }: FlowNode): Called | undefined {
  if (type !== 'api-operation' || disabled === true) return undefined
  const { connection, operation } = fields
  if (typeof connection !== 'string' || typeof operation !== 'string') return undefined
  if (connection === '' || operation.trim() === '') return undefined
  return readsVariables(connection) || readsVariables(operation) ? undefined : { connection, operation }
}

type NodeFault = Pick<Fault, 'code' | 'message'> & { readonly field: string }

function verdictOf(
  node: FlowNode,
  found: Awaited<ReturnType<FlowOperations['find']>>,
  { connection, operation }: Called
): { readonly faults: readonly NodeFault[]; readonly warnings: readonly NodeFault[] } {
  if (found === undefined) return { faults: [], warnings: [] }
  if (typeof found !== 'string')
    return { faults: faultsOf(node, found), warnings: missingMembers(node, found) }
  const warning =
    found === 'no document'
      ? {
          field: 'connection',
          code: 'document_missing',
          message: `the connection "${connection}" has no document, so its runs will fail there. Give it the OpenAPI document of the API.`
        }
      : {
          field: 'operation',
          code: 'operation_not_found',
          message: `the document of the connection "${connection}" has no operation ${JSON.stringify(operation.slice(0, 300))}, so its runs will fail there. Choose one that it has.`
        }
  return { faults: [], warnings: [warning] }
}

function faultsOf({ fields }: FlowNode, { id, parameters, body }: ApiOperation): NodeFault[] {
  const faults: NodeFault[] = []
  const given = isPlainObject(fields.parameters) ? Object.keys(fields.parameters) : []
  const known = parameters.map(({ name }) => name)
  for (const name of given.filter((one) => !known.includes(one)).slice(0, 20))
    faults.push({
      field: 'parameters',
      code: 'parameter_unknown',
      message: `the operation "${id}" has no parameter "${name.slice(0, 100)}".${didYouMean(name, known)} Take it out, or correct its name.`
    })
  const missing = parameters.filter(({ name, required }) => required && !given.includes(name))
  if (missing.length > 0)
    faults.push({
      field: 'parameters',
      code: 'parameter_missing',
      message: `the operation "${id}" needs ${missing.map(({ name }) => `"${name}"`).join(', ')}. Give it a value or a template.`
    })
  if (body === null && fields.body !== undefined && fields.body !== null && fields.body !== '')
    faults.push({
      field: 'body',
      code: 'body_unexpected',
      message: `the operation "${id}" takes no body. Leave it empty.`
    })
  return faults
}

/** Documents are often wrong about these, so nobody is kept from trying. */
function missingMembers({ fields }: FlowNode, { id, body }: ApiOperation): NodeFault[] {
  const given = fields.body
  if (!isPlainObject(given)) return []
  const missing = (body?.schema.required ?? []).filter((name) => !Object.hasOwn(given, name))
  if (missing.length === 0) return []
  const message = `the operation "${id}" asks for ${missing.map((name) => `"${name}"`).join(', ')} in its body.`
  return [{ field: 'body', code: 'member_missing', message }]
}
