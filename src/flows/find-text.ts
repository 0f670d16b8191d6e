/** Up to this length, the engine's own search looks at each character of the text so many times at the worst. */
const SHORT = 32

/**
 * As `text.indexOf(part)`, in time that grows with the two lengths alone. The engine's own search takes their product where
 * both are alike throughout (a part of `aaa…b…aaa` in a text of `aaa…`: seconds for 100 kB of each), and both may be sent by
 * somebody.
 */
export function indexOfText(text: string, part: string): number {
  if (part.length <= SHORT) return text.indexOf(part)
  if (part.length >= text.length) return part === text ? 0 : -1
  const fallbacks = fallbacksOf(part)
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = fallbacks[matched - 1]!
    if (part.charCodeAt(matched) === code) matched++
    if (matched === part.length) return at - matched + 1
  }
  return -1
}

export function includesText(text: string, part: string): boolean {
  return indexOfText(text, part) >= 0
}

/** For each length of its beginning (Knuth, Morris, Pratt): how much of the part still matches when the next character does not. */
function fallbacksOf(part: string): Int32Array {
  const fallbacks = new Int32Array(part.length)
  let matched = 0
  for (let at = 1; at < part.length; at++) {
    const code = part.charCodeAt(at)
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = fallbacks[matched - 1]!
    if (part.charCodeAt(matched) === code) matched++
    fallbacks[at] = matched
  }
  return fallbacks
}
