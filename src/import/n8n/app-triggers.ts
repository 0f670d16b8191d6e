import type { Become } from '../become.ts'
import type { N8nNode } from './n8n-node.ts'
import type { Writer } from './writer.ts'

export function appTrigger(_node: N8nNode, _write: Writer): Become | undefined {
  return undefined
}
