import { at, listOf, textOf } from '../values.ts'
import type { N8nNode, N8nWire } from './n8n-node.ts'
import { isWritten } from './n8n-text.ts'

/**
 * n8n makes items of a list that a request is answered with, and nobody knows before it runs whether there is one. What is pinned
 * tells, then what follows, then the words of the address.
 */
export function answeredLists(
  nodes: readonly N8nNode[],
  wires: readonly N8nWire[],
  pinData: unknown
): ReadonlySet<string> {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const leaving = Map.groupBy(wires, ({ from }) => from)
  const found = new Set<string>()
  for (const node of nodes) {
    if (node.type !== 'httpRequest') continue
    const following = (leaving.get(node.name) ?? []).slice(0, 20).flatMap(({ to }) => byName.get(to) ?? [])
    const pinned = listOf(at(pinData, node.name)).length
    if (pinned > 1 || (pinned === 0 && looksLikeList(node, following))) found.add(node.name)
  }
  return found
}

const TAKE_LISTS =
  /^(?:splitInBatches|aggregate|sort|limit|removeDuplicates|summarize|filter|compareDatasets|convertToFile)$/
/** What is read of an answer that has its list inside. */
const INSIDE = /\$json\.(?:data|results?|items|records|values|list|meta|choices)\b/
const ONE_WORD =
  /(?:status|news|address|details|settings|stats|statistics|analytics|process|access|sms|success|messages|completions|generations|embeddings|videos\/generations)$/i

function looksLikeList(node: N8nNode, following: readonly N8nNode[]): boolean {
  const { params } = node
  if (at(params, 'options', 'response', 'response', 'fullResponse') === true) return false
  if (following.some(({ type }) => TAKE_LISTS.test(type))) return true
  const method = textOf(params.method) || textOf(params.requestMethod) || 'GET'
  if (method !== 'GET' || following.some(({ type }) => /^(?:splitOut|itemLists|html|xml)$/.test(type)))
    return false
  const last = lastWord(textOf(params.url))
  if (!/^[a-z][a-z_-]*[a-rt-z]s$/i.test(last) || ONE_WORD.test(last)) return false
  const isRead = (read: N8nNode) => {
    const written = JSON.stringify(read.params).slice(0, 20_000)
    return INSIDE.test(written) || written.includes(`$json.${last}`)
  }
  return !following.some(isRead)
}

/** Of an address that says no single thing at its end. */
function lastWord(url: string): string {
  const plain = (isWritten(url) ? url.slice(1) : url).split(/[?#]/)[0]!
  return plain.includes('/') && !plain.endsWith('}}') ? plain.replace(/\/$/, '').split('/').at(-1)! : ''
}
