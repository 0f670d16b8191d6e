import type { Needle } from './secret-needles.ts'

/** From where to where in a text; the end is not part of it. */
export interface Span {
  readonly start: number
  readonly end: number
  /** Up to here it is the secret itself; what follows only holds some of its bits, and may be the beginning of another. */
  readonly sure: number
}

interface Prepared {
  readonly codes: Uint16Array
  readonly hasLooseEnds: boolean
  /** Letters may be large or small: in a text of a few letters that would be too much of a coincidence. */
  readonly isFolded: boolean
}

const SHORTEST_FOLDED = 8
const BLOCKS = 16_384

/**
 * Finds any of many texts in one pass (Wu and Manber): three letters tell how far the next occurrence is away at the least, so
 * most of a text is not looked at. A megabyte without any takes about half a millisecond, whatever the number of needles; trying
 * one after the other took as long for each of them.
 */
export class NeedleSearch {
  readonly #least: number
  readonly #shifts = new Uint8Array(BLOCKS)
  readonly #byBlock = new Map<number, Prepared[]>()
  readonly #byFirst = new Map<number, Prepared[]>()
  /** Of the longest of them. */
  readonly longest: number

  constructor(needles: readonly Needle[]) {
    const prepared = unique(needles).map(prepare)
    const lengths = prepared.map(({ codes }) => codes.length)
    this.longest = Math.max(0, ...lengths)
    this.#least = Math.min(64, ...lengths)
    this.#shifts.fill(this.#least - 2)
    for (const needle of prepared) this.#take(needle)
  }

  #take(needle: Prepared): void {
    const { codes } = needle
    const last = this.#least - 1
    for (let at = 2; at <= last; at++) {
      const block = blockOf(folded(codes[at - 2]!), folded(codes[at - 1]!), folded(codes[at]!))
      this.#shifts[block] = Math.min(this.#shifts[block]!, last - at)
      if (at === last) push(this.#byBlock, block, needle)
    }
    push(this.#byFirst, folded(codes[0]!), needle)
  }

  /** All occurrences from left to right, the longest where several begin at one place. */
  find(text: string): Span[] {
    const found: Span[] = []
    const least = this.#least
    if (this.longest === 0) return found
    for (let at = least - 1; at < text.length; ) {
      const block = blockOf(
        folded(text.charCodeAt(at - 2)),
        folded(text.charCodeAt(at - 1)),
        folded(text.charCodeAt(at))
      )
      const shift = this.#shifts[block]!
      if (shift > 0) {
        at += shift
        continue
      }
      const span = longestAt(text, at - least + 1, this.#byBlock.get(block) ?? [])
      if (span === undefined) at++
      else {
        found.push(span.hasLooseEnds ? withLooseEnds(text, span) : span)
        at = span.end + least - 1
      }
    }
    return found
  }

  /** Whether what stands there up to the end of the text is how one of them begins. */
  beginsAt(text: string, start: number): boolean {
    const length = text.length - start
    return (this.#byFirst.get(folded(text.charCodeAt(start))) ?? []).some(
      (needle) => needle.codes.length > length && agreesFor(text, start, needle, length)
    )
  }
}

function longestAt(text: string, start: number, needles: readonly Prepared[]) {
  let longest: Prepared | undefined
  for (const needle of needles) {
    const { length } = needle.codes
    if (length <= (longest?.codes.length ?? 0) || start + length > text.length) continue
    if (agreesFor(text, start, needle, length)) longest = needle
  }
  if (longest === undefined) return undefined
  const end = start + longest.codes.length
  return { start, end, sure: end, hasLooseEnds: longest.hasLooseEnds }
}

function withLooseEnds(text: string, { start, end }: Span): Span {
  const isLoose = (at: number) => /[\w+/-]/.test(text.charAt(at))
  return { start: isLoose(start - 1) ? start - 1 : start, end: isLoose(end) ? end + 1 : end, sure: end }
}

function agreesFor(text: string, start: number, { codes, isFolded }: Prepared, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(start + at)
    if (codes[at] !== (isFolded ? folded(code) : code) && codes[at] !== code) return false
  }
  return true
}

/** Blocks are always those of folded letters: a needle that is not folded is compared as it is. */
function prepare({ text, hasLooseEnds }: Needle): Prepared {
  const isFolded = text.length >= SHORTEST_FOLDED
  const codes = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return { codes: isFolded ? codes.map(folded) : codes, hasLooseEnds, isFolded }
}

function unique(needles: readonly Needle[]): Needle[] {
  return [...new Map(needles.map((needle) => [needle.text, needle])).values()]
}

function push(lists: Map<number, Prepared[]>, key: number, needle: Prepared): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [needle])
  else list.push(needle)
}

function folded(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

function blockOf(first: number, second: number, third: number): number {
  return (first * 1021 + second * 61 + third) & (BLOCKS - 1)
}
