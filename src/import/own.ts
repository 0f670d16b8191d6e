import type { Turns } from '../flows/in-turns.ts'
import type { ImportedFlow, ImportHelp, NodeReport } from './imported-flow.ts'
import { at, isMembers, type Members, membersIn, membersOf, textOf } from './values.ts'

/** What only a flow that was read has, and is not of its document. */
const NOT_OF_DOCUMENT = [
  'id',
  'version',
  'slug',
  'context',
  'created_at',
  'updated_at',
  'revision',
  'paused',
  'aliases',
  'from_file',
  'warnings',
  'errors',
  'recent_runs',
  'draft',
  'base_version',
  'live_version',
  'behind',
  'author',
  'triggers'
]

export function isOwn(flow: Members): boolean {
  const [node] = membersIn(flow.nodes)
  const isDrawn =
    node === undefined
      ? Array.isArray(flow.edges)
      : isMembers(node.fields) || !('parameters' in node || 'data' in node)
  const [edge] = membersIn(flow.edges)
  return (
    Array.isArray(flow.nodes) &&
    isDrawn &&
    (edge === undefined || typeof edge.from === 'string') &&
    !('connections' in flow)
  )
}

/** Our own documents come in as they went out. */
export function* readOwn(flow: Members, help: ImportHelp): Turns<ImportedFlow[]> {
  const document = Object.fromEntries(
    Object.entries(flow).filter(([name]) => !NOT_OF_DOCUMENT.includes(name))
  )
  const nodes: NodeReport[] = []
  const named = new Map<string, { name: string; kind: string }>()
  for (const node of membersIn(flow.nodes)) {
    yield
    const type = textOf(node.type)
    const isLeft = type === 'placeholder'
    const isSigned = holdsSecret(node)
    const note = isSigned ? SECRET_LEFT_OUT : ''
    nodes.push({
      node: textOf(node.id),
      title: textOf(node.title) || type,
      was: type,
      became: type,
      verdict: isLeft ? 'placeholder' : isSigned ? 'adapted' : 'exact',
      note: isLeft ? textOf(at(node, 'fields', 'nearest')) : note
    })
    const connection = textOf(at(node, 'fields', 'connection'))
    if (connection !== '') named.set(connection, { name: connection, kind: KINDS[type] ?? 'http' })
  }
  const name = textOf(flow.name).trim().slice(0, 200) || 'Imported flow'
  const slug = typeof flow.slug === 'string' ? flow.slug : name
  return [
    {
      name,
      slug: help.slugFor(slug),
      document: {
        ...document,
        name,
        ...(Array.isArray(flow.nodes) && { nodes: flow.nodes.map(withoutSecret) })
      },
      nodes,
      wires: { kept: membersIn(flow.edges).length, lost: 0 },
      connections: [...named.values()],
      pinned: {}
    }
  ]
}

const SECRET_LEFT_OUT =
  'Its signing secret was left out, since a flow is no place for one: put it into a connection of the kind webhook, and name that.'

/** What reads a variable is none. */
function holdsSecret(node: unknown): boolean {
  const secret = at(node, 'fields', 'signing_secret')
  return at(node, 'type') === 'webhook' && typeof secret === 'string' && /^[^{]+$/.test(secret)
}

function withoutSecret(node: unknown): unknown {
  if (!holdsSecret(node)) return node
  const { signing_secret: _, ...fields } = membersOf(at(node, 'fields'))
  return { ...membersOf(node), fields }
}

const KINDS: Readonly<Record<string, string>> = {
  'language-model': 'openai',
  agent: 'openai',
  sql: 'postgres',
  'send-email': 'smtp',
  'send-webhook': 'webhook',
  webhook: 'webhook',
  'mcp-tools': 'mcp',
  'mcp-call': 'mcp'
}
