import type { Connection, ConnectionKind, NamedConnection } from '../../api/connections.ts'
import { addressOf } from '../../connection-forms/address-of.ts'

/** A connection with what is shown beside it. */
export interface ListedConnection {
  readonly connection: Connection
  /** What its kind is called. */
  readonly kind: string
  readonly address: string
  /** The nodes that would use it now. */
  readonly uses: readonly NamedConnection[]
}

export function listConnections(
  connections: readonly Connection[],
  kinds: readonly ConnectionKind[],
  uses: readonly NamedConnection[]
): ListedConnection[] {
  const titles = new Map(kinds.map(({ kind, title }) => [kind, title]))
  const byConnection = Map.groupBy(uses, ({ context, name }) => keyOf(context, name))
  return connections.map((connection) => ({
    connection,
    kind: titles.get(connection.kind) ?? connection.kind,
    address: addressOf(connection),
    uses: byConnection.get(keyOf(connection.context, connection.name)) ?? []
  }))
}

/** A name is there once in a context. */
function keyOf(context: string | null, name: string): string {
  return `${context} ${name}`
}

/** Those that hold every word, in any of what is shown of them. */
export function findConnections(listed: readonly ListedConnection[], text: string): ListedConnection[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return listed.filter(({ connection, kind, address, uses }) => {
    const flows = uses.map(({ flow_name }) => flow_name)
    const shown = [connection.name, connection.context, connection.kind, kind, address, ...flows]
    const whole = shown.join('\n').toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}

/** By context, and in it by name. */
export function byContext(listed: readonly ListedConnection[]): [string, ListedConnection[]][] {
  const sorted = listed.toSorted((a, b) => a.connection.name.localeCompare(b.connection.name))
  const groups = Map.groupBy(sorted, ({ connection }) => connection.context)
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

interface UsingFlow {
  readonly id: string
  readonly name: string
  readonly context: string
  /** Only its draft uses the connection: what is live does not. */
  readonly isDraft: boolean
}

/** The flows among uses, each once, in the order of their names. */
export function flowsOf(uses: readonly NamedConnection[]): UsingFlow[] {
  const byFlow = [...Map.groupBy(uses, ({ flow_id }) => flow_id).values()]
  const flows = byFlow.map((all) => {
    const { flow_id: id, flow_name: name, flow_context: context } = all[0]!
    return { id, name, context, isDraft: all.every(({ draft }) => draft) }
  })
  return flows.sort((a, b) => a.name.localeCompare(b.name))
}
