/**
 * Where a piece of text may end, the best first: after a paragraph, a line, a sentence, a word. Each looks from the end, and gives what
 * comes after the last one between `from` and `to`: a text may have a million.
 */
export const ENDS: readonly ((text: string, from: number, to: number) => number | undefined)[] = [
  afterParagraph,
  afterLine,
  afterSentence,
  afterSpace
]

const LINE_END = 10

/** Two line ends with nothing but spaces between them. */
function afterParagraph(text: string, from: number, to: number): number | undefined {
  for (let end = lineEndBefore(text, from, to); end >= from; ) {
    let at = end - 1
    while (at >= from && text.charCodeAt(at) !== LINE_END && isSpace(text.charCodeAt(at))) at--
    if (at >= from && text.charCodeAt(at) === LINE_END) return end + 1
    end = lineEndBefore(text, from, at + 1)
  }
  return undefined
}

function afterLine(text: string, from: number, to: number): number | undefined {
  const end = lineEndBefore(text, from, to)
  return end < from ? undefined : end + 1
}

/** Negative where there is none. */
function lineEndBefore(text: string, from: number, to: number): number {
  if (to <= from) return -1
  for (let at = to - 1; at >= from; at--) if (text.charCodeAt(at) === LINE_END) return at
  return -1
}

const SENTENCE_ENDS = new Set([...'.!?…'].map((end) => end.charCodeAt(0)))
const CLOSING = new Set([...'"\')]'].map((close) => close.charCodeAt(0)))

/** A point, and quotes and brackets that close after it, before a space. */
function afterSentence(text: string, from: number, to: number): number | undefined {
  for (let space = to - 1; space > from; space--) {
    if (!isSpace(text.charCodeAt(space))) continue
    let at = space - 1
    while (at >= from && CLOSING.has(text.charCodeAt(at))) at--
    if (at >= from && SENTENCE_ENDS.has(text.charCodeAt(at))) return space + 1
    space = at + 1
  }
  return undefined
}

function afterSpace(text: string, from: number, to: number): number | undefined {
  for (let at = to - 1; at >= from; at--) if (isSpace(text.charCodeAt(at))) return at + 1
  return undefined
}

/** As \s of regular expressions, which take several times as long for one character. */
function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  return code >= 160 && OTHER_SPACES.has(code)
}

const OTHER_SPACES = new Set([
  0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
  0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a
])
