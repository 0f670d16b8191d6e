const LOADING = /@import\b[^;]*;?|(?:url|image-set|src)\(/gi
const OWN = /^\s*["']?data:/i

/** Styles that fetch nothing: a picture in them that is not part of the mail itself would tell somebody that it is looked at. */
export function withoutLoads(css: string): string {
  const kept: string[] = []
  let at = 0
  LOADING.lastIndex = 0
  for (let found = LOADING.exec(css); found !== null; found = LOADING.exec(css)) {
    kept.push(css.slice(at, found.index))
    at = LOADING.lastIndex
    if (found[0].endsWith('(')) {
      const end = endOfCall(css, at)
      kept.push(OWN.test(css.slice(at, at + 40)) ? found[0] + css.slice(at, end) : 'none')
      at = end
    }
    LOADING.lastIndex = at
  }
  return kept.join('') + css.slice(at)
}

/** Behind the bracket that closes it: others within, and what stands in quotes, are part of it. */
function endOfCall(css: string, start: number): number {
  let depth = 1
  let quote = ''
  for (let at = start; at < css.length; at++) {
    const sign = css[at]!
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '(') depth++
    else if (sign === ')' && --depth === 0) return at + 1
  }
  return css.length
}
