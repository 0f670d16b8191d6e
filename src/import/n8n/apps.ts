import type { Become } from '../become.ts'
import type { N8nNode } from './n8n-node.ts'
import type { Writer } from './writer.ts'

export function appRequest(_node: N8nNode, _write: Writer): Become | undefined {
  return undefined
}
export function nearestApp(_node: N8nNode): { advice: string; preset?: string } {
  return { advice: 'Do its work with an API Request or with Code.' }
}
