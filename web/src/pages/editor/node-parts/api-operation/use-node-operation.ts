import { usedName } from '../../../../../../src/flows/validate/connection-uses.ts'
import { useOperations } from '../../../../api/operations.ts'
import type { Node } from '../../../../editor/graph/flow.ts'
import { useDrawnFlow } from '../../editor-context.ts'
import { useContextScope } from '../use-context-scope.ts'

/** What the document says of the operation that a node names; undefined while nothing is known of it. */
export function useNodeOperation(node: Node) {
  const operation = textOf(node.fields.operation)
  const found = useOperations(...useConnectionOf(node), { operation }, operation !== '')
  return { data: operation === '' ? undefined : found.data?.[0] }
}

/** What the connection of a node offers, by what somebody looks for. */
export function useOperationSearch(node: Node, q: string, isOpen: boolean) {
  return useOperations(...useConnectionOf(node), { q }, isOpen)
}

function useConnectionOf({ fields }: Node): [context: string, connection: string] {
  const context = useDrawnFlow((flow) => flow.context)
  const { variables } = useContextScope()
  return [context, usedName({ name: textOf(fields.connection), field: 'connection' }, variables)]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
