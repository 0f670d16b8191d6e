import { ExactNumber } from '../json/exact-json.ts'
import type { FlowNode } from './flow-document.ts'

/**
 * Tells the settings of a node from others, in a few characters: what it is and its fields, in whatever order they are
 * written. The page works it out at every key that is pressed, so it is quick, and no secret hangs on it.
 */
export function nodeDigest({ type, fields }: Pick<FlowNode, 'type' | 'fields'>): string {
  return hashOf(JSON.stringify([type, sorted(fields)]))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // The service reads documents without them.
  if (value instanceof ExactNumber) return Number(value)
  if (Array.isArray(value)) return value.map(sorted)
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)])
}

/** Two multiplicative hashes of 32 bits, side by side (cyrb53 without its cut). */
function hashOf(text: string): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 2654435761)
    other = Math.imul(other ^ unit, 1597334677)
  }
  const [low, high] = [mixed(one, other), mixed(other, one)]
  return `${hex(high)}${hex(low)}`
}

function mixed(one: number, other: number): number {
  return (Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)) >>> 0
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0')
}
