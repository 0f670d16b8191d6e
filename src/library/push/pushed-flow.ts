import type { Catalogue } from '../../flows/component/catalogue.ts'
import { secretFields } from '../../flows/component/without-secrets.ts'
import { compareInTurns } from '../../flows/document/compare-flows.ts'
import { describeChanges } from '../../flows/document/describe-changes.ts'
import type { FlowDocument, FlowNode } from '../../flows/document/flow-document.ts'
import { orderedDocument } from '../../flows/document/ordered-document.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { writeJsonInTurns } from '../../flows/json/document-json.ts'

/** What a file leaves out of a secret stays as it is live. */
export function withSecretsOf(
  live: FlowDocument,
  document: FlowDocument,
  catalogue: Pick<Catalogue, 'find'>
): FlowDocument {
  const byId = new Map(live.nodes.map((node) => [node.id, node]))
  return {
    ...document,
    nodes: document.nodes.map((node) => withSecrets(node, byId.get(node.id), live.context, catalogue))
  }
}

function withSecrets(
  node: FlowNode,
  before: FlowNode | undefined,
  context: string,
  catalogue: Pick<Catalogue, 'find'>
): FlowNode {
  if (before?.type !== node.type) return node
  const kept = secretFields(before, context, catalogue).filter((name) => !Object.hasOwn(node.fields, name))
  if (kept.length === 0) return node
  return {
    ...node,
    fields: { ...node.fields, ...Object.fromEntries(kept.map((name) => [name, before.fields[name]])) }
  }
}

/** What is different, in a few words; undefined where the two say the same to the last letter. */
export function* changesBetween(
  live: FlowDocument,
  document: FlowDocument,
  catalogue: Pick<Catalogue, 'find'>
): Turns<string | undefined> {
  const [before, after] = [orderedDocument(live), orderedDocument(document)]
  yield
  if ((yield* writeJsonInTurns(before)) === (yield* writeJsonInTurns(after))) return undefined
  const titleOf = (type: string) => catalogue.find(document.context, type)?.title
  const changes = describeChanges(yield* compareInTurns(live, document, titleOf))
  // Of wires that lead to one input the first counts, and what is sent somewhere has an order.
  return changes ?? 'Order'
}
