import { ExactNumber } from '../json/exact-json.ts'
import type { FlowNode } from './flow-document.ts'

/**
 * Tells the settings of a node from others, in a few characters: what it is and its fields, in whatever order they are
 * written. The page works it out at every key that is pressed, so it is quick, and no secret hangs on it.
 */
export function nodeDigest({ type, fields }: Pick<FlowNode, 'type' | 'fields'>): string {
  const digest = new DigestOfText()
  digest.add(JSON.stringify([type, sorted(fields)]))
  return digest.written()
}

export function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // The service reads documents without them.
  if (value instanceof ExactNumber) return Number(value)
  if (Array.isArray(value)) return value.map(sorted)
  return sortedMembers(value).map(([name, member]) => [name, sorted(member)])
}

export function sortedMembers(value: object): [string, unknown][] {
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Two multiplicative hashes of 32 bits, side by side (cyrb53 without its cut). */
export class DigestOfText {
  #one = 0xdeadbeef
  #other = 0x41c6ce57

  add(text: string): void {
    let [one, other] = [this.#one, this.#other]
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      one = Math.imul(one ^ unit, 2654435761)
      other = Math.imul(other ^ unit, 1597334677)
    }
    this.#one = one
    this.#other = other
  }

  written(): string {
    const [low, high] = [mixed(this.#one, this.#other), mixed(this.#other, this.#one)]
    return `${hex(high)}${hex(low)}`
  }
}

function mixed(one: number, other: number): number {
  return (Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)) >>> 0
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0')
}
