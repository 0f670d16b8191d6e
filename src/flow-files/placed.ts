import { isWithin, ROOT } from '../contexts/context-path.ts'
import { SLUG } from '../flows/document/flow-document.ts'

/** Where a folder belongs in a service: what its top is there, and what the slugs of its flows begin with. */
export interface Placement {
  readonly context: string
  readonly prefix: string
}

const slugs = new RegExp(SLUG)

/** What a folder calls the flow of a service; undefined where none has it, since with the prefix all of its slug is gone, or what is left is none. */
export function slugInFolder(slug: string, { prefix }: Pick<Placement, 'prefix'>): string | undefined {
  const rest = slug.startsWith(prefix) ? slug.slice(prefix.length) : ''
  return slugs.test(rest) ? rest : undefined
}

type Members = Readonly<Record<string, unknown>>

interface Placed extends Members {
  readonly slug: string
  readonly context: string
}

/** The context of the service that a folder stands for. */
export function placedContext(path: string, { context }: Placement): string {
  if (path === ROOT) return context
  return context === ROOT ? path : context + path
}

/** The other way round; undefined for one that the folder does not reach. */
export function contextInFolder(path: string, { context }: Placement): string | undefined {
  if (!isWithin(path, context)) return undefined
  return context === ROOT ? path : path.slice(context.length) || ROOT
}

/** Flows of a folder, as they are called where they belong. Those that run each other still do. */
export function placedFlows<Flow extends Placed>(flows: readonly Flow[], placement: Placement): Flow[] {
  const names = new Map(flows.map(({ slug }) => [slug, placement.prefix + slug]))
  return flows.map((flow) => ({
    ...renamed(flow, names),
    slug: names.get(flow.slug)!,
    context: placedContext(flow.context, placement)
  }))
}

/** Flows of a service as a folder has them. */
export function flowsInFolder<Flow extends Placed>(flows: readonly Flow[], placement: Placement): Flow[] {
  const reached = flows.flatMap((flow) => {
    const context = contextInFolder(flow.context, placement)
    const slug = slugInFolder(flow.slug, placement)
    return context === undefined || slug === undefined ? [] : [{ flow, context, slug }]
  })
  const names = new Map(reached.map(({ flow, slug }) => [flow.slug, slug]))
  return reached.map(({ flow, context }) => ({
    ...renamed(flow, names),
    slug: names.get(flow.slug)!,
    context
  }))
}

/** Nodes that name flows by their slugs. */
function renamed<Flow extends Members>(flow: Flow, names: ReadonlyMap<string, string>): Flow {
  if (!Array.isArray(flow.nodes) || names.size === 0) return flow
  return { ...flow, nodes: flow.nodes.map((node) => renamedIn(node, names)) }
}

function renamedIn(node: unknown, names: ReadonlyMap<string, string>): unknown {
  const { type, fields } = Object(node) as { type?: unknown; fields?: unknown }
  if (typeof fields !== 'object' || fields === null) return node
  const { flow, flows } = fields as Members
  const nameOf = (name: unknown) => (typeof name === 'string' ? (names.get(name.trim()) ?? name) : name)
  if (type === 'run-flow' && flow !== undefined)
    return { ...(node as Members), fields: { ...fields, flow: nameOf(flow) } }
  if (type === 'run-failed' && Array.isArray(flows))
    return { ...(node as Members), fields: { ...fields, flows: flows.map(nameOf) } }
  return node
}
