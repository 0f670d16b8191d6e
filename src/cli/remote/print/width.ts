/** How many columns a text takes on a terminal. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** The text in at most so many columns, with an ellipsis where something of it was left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let left = width - 1
  for (const { segment } of GRAPHEMES.segment(text)) {
    left -= widthOf(segment)
    if (left < 0) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/**
 * On one line, and with nothing that a terminal would take for an order or that would turn the order of letters round: names
 * and payloads are written by anybody.
 */
export function harmless(text: string): string {
  return text.replace(/\s+/g, ' ').replace(ORDERS, '�').trim()
}

/** The same for a text of several lines. */
export function harmlessLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ').replace(ORDERS_IN_LINES, '�')
}

/** The same for what has colours of ours in it. */
export function coloursAlone(text: string): string {
  return text.replace(COLOURS_OR_ORDERS, (_order, colour: string | undefined) => colour ?? '�')
}

const PLAIN = /^[ -~]*$/
const GRAPHEMES = new Intl.Segmenter('en')
/** East Asian letters and pictures. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u
const ORDERS = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a colour begins with
const COLOURS_OR_ORDERS = /(\x1b\[\d{1,2}m)|(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu
const ORDERS_IN_LINES = /(?!\n)[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu
