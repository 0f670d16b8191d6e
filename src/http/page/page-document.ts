const BASE = /<base\b[^>]*>\s*/i
const NONCE = /<meta name="style-nonce"[^>]*>\s*/i

/** What is written into index.html for one answer. */
interface PageFacts {
  /** The path that all addresses of the page begin with; ends with a slash. */
  readonly base: string
  /** Lets the page add styles; see page-headers.ts. */
  readonly nonce: string
  /** What the browser should ask for at once; see page-preloads.ts. */
  readonly links?: readonly string[]
}

/**
 * The document of the page as it was built, with what only its answer knows. First in its head: a base holds for
 * what comes after it.
 */
export function fillDocument(html: string, { base, nonce, links = [] }: PageFacts): string {
  const own = `<base href="${escapeAttribute(base)}">\n    <meta name="style-nonce" content="${escapeAttribute(nonce)}">`
  const plain = html.replace(BASE, '').replace(NONCE, '')
  const begun = plain.replace(/<head[^>]*>/i, (head) => `${head}\n    ${own}`)
  // Last: what the document itself names is asked for before.
  return begun.replace(/<\/head>/i, (end) => `${links.map((link) => `  ${link}\n  `).join('')}${end}`)
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
