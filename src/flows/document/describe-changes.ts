import { counted } from '../counted.ts'
import type { FlowComparison, NodeChange } from './compare-flows.ts'

/** So many are named; the others are counted. */
const MOST_NAMED = 4

/** What a comparison comes to in one line: "Parser: template; Send Email added; 2 wires". Null where nothing differs. */
export function describeChanges(comparison: FlowComparison): string | null {
  const { members, nodes, wires, notes, moved } = comparison
  const told = [...nodeChangesInWords(nodes), ...members.map(memberInWords)]
  const wired = wires.added.length + wires.removed.length
  if (wired > 0) told.push(counted(wired, 'wire'))
  if (notes > 0) told.push(counted(notes, 'note'))
  // How it is drawn is worth a word only where nothing else has changed.
  if (told.length === 0) return moved === 0 ? null : 'Layout'
  const named = told.slice(0, told.length > MOST_NAMED ? MOST_NAMED - 1 : MOST_NAMED)
  const left = told.length - named.length
  const text = [...named, ...(left === 0 ? [] : [`and ${left} more`])].join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Of a first version there is nothing to compare, but a blank one is told from one that does something. */
export function describeFirst({ nodes }: { readonly nodes: readonly unknown[] }): string | null {
  return nodes.length === 0 ? 'Blank' : null
}

/** One for each, in the same order: "Parser: template, separator". */
export function nodeChangesInWords(nodes: readonly NodeChange[]): string[] {
  const titles = new Map<string, Set<string>>()
  for (const { title, node } of nodes) titles.set(title, (titles.get(title) ?? new Set()).add(node))
  return nodes.map(({ kind, node, title, fields }) => {
    const named = titles.get(title)!.size > 1 ? `${title} (${node})` : title
    return kind === 'changed' ? `${named}: ${fields.map(nodeMemberInWords).join(', ')}` : `${named} ${kind}`
  })
}

const MEMBERS: Readonly<Record<string, string>> = { slug: 'address' }

function memberInWords(name: string): string {
  return MEMBERS[name] ?? plain(name)
}

/** Which region a node stands in is a member of the node. */
function nodeMemberInWords(name: string): string {
  return name === 'parent' ? 'region' : plain(name)
}

function plain(name: string): string {
  return name.replaceAll('_', ' ')
}
