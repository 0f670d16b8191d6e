type Members = Readonly<Record<string, unknown>>

const DOCUMENT = ['name', 'slug', 'context', 'description', 'tags', 'nodes', 'edges', 'notes']
const NODE = ['id', 'type', 'title', 'parent', 'disabled', 'on_error', 'retry', 'timeout_ms', 'tool']
const NODE_DRAWN = ['position', 'size', 'collapsed', 'shown_fields', 'fields']
const NOTE = ['id', 'text', 'colour', 'position', 'size', 'nodes']
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  nodes: [...NODE, ...NODE_DRAWN],
  edges: ['from', 'to'],
  notes: NOTE
}
const INNER: Readonly<Record<string, readonly string[]>> = {
  position: ['x', 'y'],
  size: ['width', 'height'],
  retry: ['attempts', 'backoff_ms', 'max_backoff_ms'],
  tool: ['name', 'description', 'fields', 'arguments', 'ask_first']
}

/**
 * The same document with its members in one order, however it came about: two of one text say the same. The values of fields stay
 * as they are, since the order of an object that is sent somewhere may matter there.
 */
export function orderedDocument<Document extends object>(document: Document): Document {
  const ordered = inOrder(document as Members, DOCUMENT)
  for (const [name, order] of Object.entries(ORDERS)) {
    const parts = ordered[name]
    if (Array.isArray(parts)) ordered[name] = parts.map((part) => orderedPart(part, order))
  }
  return ordered as Document
}

function orderedPart(part: unknown, order: readonly string[]): unknown {
  if (!isMembers(part)) return part
  const ordered = inOrder(part, order)
  for (const [name, inner] of Object.entries(INNER)) {
    if (isMembers(ordered[name])) ordered[name] = inOrder(ordered[name], inner)
  }
  if (isMembers(ordered.fields)) ordered.fields = sortedMembers(ordered.fields)
  return ordered
}

/** By their names: which comes first means nothing. */
export function sortedMembers<Value>(members: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** What has no place in the order comes last, as it stands. */
function inOrder(members: Members, order: readonly string[]): Record<string, unknown> {
  const known = order.flatMap((name) =>
    Object.hasOwn(members, name) ? [[name, members[name]] as const] : []
  )
  const others = Object.entries(members).filter(([name]) => !order.includes(name))
  return Object.fromEntries([...known, ...others])
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
