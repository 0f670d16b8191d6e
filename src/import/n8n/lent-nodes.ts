import type { Absorbed } from '../assembly.ts'
import type { N8nNode, N8nWire } from './n8n-node.ts'

/** What is lent to another node goes into that: models, memory, parsers, embeddings. */
export function absorbedOf(nodes: readonly N8nNode[], wires: readonly N8nWire[]): Map<string, Absorbed> {
  const leaving = Map.groupBy(wires, ({ from }) => from)
  const first = new Map<string, string>()
  for (const { name } of nodes) {
    const own = leaving.get(name) ?? []
    const isOnlyLent = own.length > 0 && own.every(({ kind }) => kind !== 'main' && kind !== 'ai_tool')
    if (isOnlyLent) first.set(name, own[0]!.to)
  }
  const absorbed = new Map<string, Absorbed>()
  for (const [name, to] of first) {
    let into = to
    for (let steps = 0; first.has(into) && steps < 20; steps++) into = first.get(into)!
    if (first.has(into)) continue
    const kind = leaving.get(name)![0]!.kind
    absorbed.set(name, { into, isLent: true, ...lentAs(kind) })
  }
  return absorbed
}

function lentAs(kind: string): { note: string; verdict: 'exact' | 'adapted' } {
  if (kind === 'ai_languageModel')
    return { note: 'Its provider and model are fields of the node that it was lent to.', verdict: 'exact' }
  if (kind === 'ai_memory')
    return {
      note: 'It is the field History, over the turns of the session, which Millrace keeps.',
      verdict: 'adapted'
    }
  if (kind === 'ai_outputParser') return { note: 'It is the field Schema.', verdict: 'adapted' }
  if (kind === 'ai_embedding')
    return { note: 'Which model makes vectors is said by the collection.', verdict: 'adapted' }
  return { note: 'It is a part of the node that it was lent to.', verdict: 'adapted' }
}
