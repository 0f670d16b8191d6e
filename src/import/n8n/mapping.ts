import type { Become, Part } from '../become.ts'
import type { OnEmpty } from './emptiness.ts'
import type { N8nNode } from './n8n-node.ts'
import type { Writer } from './writer.ts'

/** Where a node stands. */
export interface Place {
  /** It gets a list, of which n8n would take one item after the other. */
  readonly isList: boolean
  /** It gets several items, wherever they go. */
  readonly isMany: boolean
  /** Of a loop: what stands inside works on each item by itself. */
  readonly isOneByOne: boolean
  /** What other nodes lend it, by kind: its model, its memory, its parser … */
  readonly lent: (kind: string) => readonly N8nNode[]
  /** The inputs that wires lead to. */
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
  /** Its inputs are branches of one node, of which one runs. */
  readonly isEither: boolean
  /** What comes of no items. */
  readonly onEmpty: OnEmpty
  /** A loop in a loop. */
  readonly isInner: boolean
  /** The slug of a workflow by its id there. */
  readonly slugOf: (id: string) => string | undefined
  /** Triggers of the flow that are there already. */
  readonly isTaken: (trigger: string) => boolean
}

export type Mapping = (node: N8nNode, write: Writer, place: Place) => Become

/** What becomes one node, with what the writer has to say. */
export function made(
  part: Part,
  write: Writer,
  ports: { readonly takes?: string; readonly gives?: string },
  note = ''
): Become {
  return several({ main: part }, write, ports, [], note)
}

/** The same of several, which are wired by `links`. Ports are of the first and of the last. */
export function several(
  parts: Readonly<Record<string, Part>>,
  write: Writer,
  ports: { readonly takes?: string; readonly gives?: string },
  links: Become['links'] = [],
  note = ''
): Become {
  write.tell(note)
  const names = Object.keys(parts)
  const end = (port: string | undefined, part: string) =>
    port === undefined || port.includes('.') ? port : `${part}.${port}`
  return {
    verdict: write.note === '' ? 'exact' : 'adapted',
    note: write.note,
    parts,
    links,
    takes: () => end(ports.takes, names[0]!),
    gives: () => end(ports.gives, names.at(-1)!),
    connections: write.connections
  }
}

/**
 * Code that does to each item what n8n does to one. `body` returns what becomes of `$json`. Of a list each item has its place, by which
 * the items of other nodes that belong to it are found.
 */
export function perItem(write: Writer, place: Place, body: string, helpers: readonly string[] = []): Become {
  const code = place.isList
    ? `return $list(data).map(($json, $itemIndex) => {\n${ofItem(body)}${body}\n})`
    : body
  return made({ type: 'code', fields: { code: write.code([...helpers, code].join('\n')) } }, write, {
    takes: 'data',
    gives: 'result'
  })
}

/** Names of the item that n8n has besides. */
function ofItem(body: string): string {
  return /\$input\b|\bitem\b/.test(body) ? 'const $input = $from($json), item = $input.item\n' : ''
}
