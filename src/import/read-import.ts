import type { Turns } from '../flows/in-turns.ts'
import { flowsKept, isFlowise } from './flowise/flowise-node.ts'
import { readFlowise } from './flowise/read-flowise.ts'
import type { Imported, ImportedFlow, ImportHelp } from './imported-flow.ts'
import { readLangflow } from './langflow/read-langflow.ts'
import { readN8n, slugsById } from './n8n/read-n8n.ts'
import { readNodeRed } from './node-red/read-node-red.ts'
import { redMembers } from './node-red/red-node.ts'
import { isOwn, readOwn } from './own.ts'
import { isMembers, listOf, type Members, membersIn, membersOf } from './values.ts'

/** A file that is none of those that are known. */
export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat'
}

/** Of one file. Whoever has more has an archive, or several calls. */
const MOST_FLOWS = 500
const MOST_NODES = 10_000
const MOST_WIRES = 50_000

/** What is in a file of another tool, told by its shape. Throws UnknownFormat. */
export function* readImport(file: unknown, help: ImportHelp): Turns<Imported> {
  const red = redMembers(file)
  if (red !== undefined) {
    if (red.length > MOST_NODES) throw tooMany(red.length)
    assertWires(redWires(red))
    return { format: 'node-red', flows: yield* readNodeRed(red, help) }
  }
  const flows = flowsIn(file)
  const [first] = flows
  if (first === undefined) throw new UnknownFormat('it holds no flow')
  if (flows.length > MOST_FLOWS)
    throw new UnknownFormat(`it holds ${flows.length} flows, and ${MOST_FLOWS} are the most`)
  for (const flow of flows) assertSize(flow)
  if (isLangflow(first))
    return { format: 'langflow', flows: yield* eachFlow(flows, (flow) => readLangflow(flow, help)) }
  if (isFlowise(first))
    return { format: 'flowise', flows: yield* eachFlow(flows, (flow) => readFlowise(flow, help)) }
  if (isOwn(first))
    return { format: 'millrace', flows: yield* eachFlow(flows, (flow) => readOwn(flow, help)) }
  if (isN8n(first)) {
    const slugs = slugsById(flows, help)
    return {
      format: 'n8n',
      flows: yield* eachFlow(flows, (flow) => readN8n(flow, help, (id) => slugs.get(id)))
    }
  }
  throw new UnknownFormat('nothing in it looks like a flow')
}

function* eachFlow(
  flows: readonly Members[],
  read: (flow: Members) => Turns<ImportedFlow[]>
): Turns<ImportedFlow[]> {
  const all: ImportedFlow[] = []
  for (const flow of flows) all.push(...(yield* read(flow)))
  return all
}

function flowsIn(file: unknown): Members[] {
  if (Array.isArray(file)) return membersIn(file)
  if (!isMembers(file)) return []
  const kept = flowsKept(file)
  if (kept.length > 0) return kept
  if (Array.isArray(file.flows)) return membersIn(file.flows)
  // As the API of n8n answers.
  if (Array.isArray(file.data) && membersIn(file.data).some(isN8n)) return membersIn(file.data)
  return isMembers(file.workflow) && isN8n(file.workflow) ? [file.workflow] : [file]
}

function assertSize(flow: Members): void {
  const nodes = isMembers(flow.data) ? flow.data.nodes : flow.nodes
  const count = listOf(nodes).length
  if (count > MOST_NODES) throw tooMany(count)
  assertWires(isMembers(flow.data) ? listOf(flow.data.edges).length : wiresIn(flow.connections))
}

function assertWires(count: number): void {
  if (count <= MOST_WIRES) return
  throw new UnknownFormat(`a flow in it has ${count} wires, and ${MOST_WIRES} are the most`)
}

/** Of Node-RED: by node a list for each output, and links, each of which is a wire too. */
function redWires(members: readonly Members[]): number {
  let count = 0
  for (const { wires, links } of members) {
    for (const ends of listOf(wires)) count += listOf(ends).length
    count += listOf(links).length
  }
  return count
}

/** Of n8n: by node and kind a list for each output. */
function wiresIn(connections: unknown): number {
  let count = 0
  for (const kinds of Object.values(membersOf(connections)))
    for (const outputs of Object.values(membersOf(kinds)))
      for (const ends of listOf(outputs)) count += Math.max(1, listOf(ends).length)
  return count
}

function tooMany(count: number): UnknownFormat {
  return new UnknownFormat(`a flow in it has ${count} nodes, and ${MOST_NODES} are the most`)
}

function isLangflow(flow: Members): boolean {
  return isMembers(flow.data) && Array.isArray(flow.data.nodes) && Array.isArray(flow.data.edges)
}

function isN8n(flow: Members): boolean {
  return (
    Array.isArray(flow.nodes) &&
    (isMembers(flow.connections) ||
      membersIn(flow.nodes).some(({ typeVersion }) => typeVersion !== undefined))
  )
}
