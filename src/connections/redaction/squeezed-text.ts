const WHITE_SPACE = [9, 10, 11, 12, 13, 32]
const EQUALS = 61
const LEFT_OUT = [...WHITE_SPACE, EQUALS]

/** By its code, whether a letter of one byte is kept: 1 or 0. */
const KEPT = new Uint8Array(256).fill(1)
for (const code of LEFT_OUT) KEPT[code] = 0

/** Takes no time for text of one byte for each letter, as most is: the engine knows that there is none. */
const WIDE = /[\u0100-\uffff]/

/** Whether there is anything to leave out. Each of these is looked for faster than a pattern is. */
export function isSpaced(text: string): boolean {
  return text.includes(' ') || text.includes('\n') || text.includes('\t') || text.includes('\r')
}

/**
 * The text without white space and without `=`, which ends a line of a mail that goes on: what was broken into lines, folded or written
 * in pairs stands in it whole. What is looked for in it is squeezed as well, so a sign of its own at the end of a line does no harm.
 */
export function squeezed(text: string): string {
  if (WIDE.test(text)) return text.replace(/[\t-\r =]+/g, '')
  const letters = Buffer.from(text, 'latin1')
  let length = 0
  for (let at = 0; at < letters.length; at++) {
    const code = letters[at]!
    letters[length] = code
    length += KEPT[code]!
  }
  return letters.toString('latin1', 0, length)
}

/** For each letter of the squeezed text where it stands in the text, and one more for the end. Asked for only where something was found. */
export function placesOf(text: string): Uint32Array {
  const from = new Uint32Array(text.length + 1)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    from[length] = at
    length += KEPT[text.charCodeAt(at)] ?? 1
  }
  from[length] = text.length
  return from.subarray(0, length + 1)
}
