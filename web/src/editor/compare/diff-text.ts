import { diffLists } from './diff-lists.ts'

interface TextPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** A line of a comparison. A line that was changed is two: the old one, then the new one, each with its words. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly parts: readonly TextPart[]
  /** Line numbers, from 1, where the line is in that text. */
  readonly before?: number
  readonly after?: number
}

/** Compares two texts line by line, and lines that took the place of each other word by word. */
export function diffText(before: string, after: string): DiffLine[] {
  const lines: DiffLine[] = []
  let [oldNumber, newNumber] = [0, 0]
  const stretches = diffLists(before.split('\n'), after.split('\n'))
  for (let index = 0; index < stretches.length; index++) {
    const { kind, items } = stretches[index]!
    if (kind === 'same') {
      for (const text of items) {
        lines.push({ kind, parts: [{ kind, text }], before: ++oldNumber, after: ++newNumber })
      }
      continue
    }
    const next = stretches[index + 1]
    const isReplaced = kind === 'removed' && next?.kind === 'added'
    const [old, fresh] = isReplaced ? [items, next.items] : kind === 'removed' ? [items, []] : [[], items]
    const words = wordsOf(old, fresh)
    for (const parts of words.old) lines.push({ kind: 'removed', parts, before: ++oldNumber })
    for (const parts of words.fresh) lines.push({ kind: 'added', parts, after: ++newNumber })
    if (isReplaced) index++
  }
  return lines
}

/** Compares two texts word by word. */
export function diffWords(before: string, after: string): TextPart[] {
  return diffLists(splitWords(before), splitWords(after)).map(({ kind, items }) => ({
    kind,
    text: items.join('')
  }))
}

/** Words, runs of space, and single signs: `{name}` changes into `{names}` in one word. */
function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

/** Lines that stand opposite each other are compared; those without a counterpart are all new or all old. */
function wordsOf(old: readonly string[], fresh: readonly string[]) {
  const whole =
    (kind: 'removed' | 'added') =>
    (text: string): TextPart[] => [{ kind, text }]
  if (old.length !== fresh.length) return { old: old.map(whole('removed')), fresh: fresh.map(whole('added')) }
  const pairs = old.map((line, index) => diffWords(line, fresh[index]!))
  return {
    old: pairs.map((parts) => parts.filter(({ kind }) => kind !== 'added')),
    fresh: pairs.map((parts) => parts.filter(({ kind }) => kind !== 'removed'))
  }
}
