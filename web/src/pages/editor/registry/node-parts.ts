import type { NodeParts } from '../node-part.ts'
import { EVERY_NODE, NODE_PARTS } from './registered.ts'

export function nodePartsFor(type: string): NodeParts {
  return Object.hasOwn(NODE_PARTS, type) ? { ...EVERY_NODE, ...NODE_PARTS[type] } : EVERY_NODE
}
