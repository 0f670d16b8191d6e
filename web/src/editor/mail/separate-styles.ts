/** A page that can be parsed without a style being applied or a handler being made, and its styles. */
export interface SeparateStyles {
  /** Attributes such as `style` and `onclick` are called `data-style` and `data-onclick`; there are no style sheets. */
  readonly html: string
  readonly sheets: readonly string[]
}

const SHEET = /<style\b[^>]*>([\s\S]*?)(?:<\/style\s*>|$)/gi
const TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^'"<>])*>/gi
const REFUSED_ATTRIBUTE = /"[^"]*"|'[^']*'|([\s/])(style|on[a-z]+)(?=\s*=)/gi

/**
 * The policy of the page lets nothing of a mail be a style or a handler, not even while its HTML is parsed. What is set on elements by
 * script is let through: so the styles are taken out of the text first.
 */
export function separateStyles(html: string): SeparateStyles {
  const sheets: string[] = []
  const without = html.replaceAll(SHEET, (_sheet, text: string) => {
    sheets.push(withoutLoads(text))
    return ''
  })
  return { html: without.replaceAll(TAG, renameRefused), sheets }
}

function renameRefused(tag: string): string {
  return tag.replaceAll(REFUSED_ATTRIBUTE, (found: string, before?: string, name?: string) =>
    before === undefined ? found : `${before}data-${name!.toLowerCase()}`
  )
}

/** Styles that fetch nothing: a picture in them that is not part of the mail itself would tell somebody that it is looked at. */
export function withoutLoads(css: string): string {
  return css
    .replaceAll(/@import\b[^;]*;?/gi, '')
    .replaceAll(/(?:url|image-set|src)\((?!\s*["']?data:)(?:"[^"]*"|'[^']*'|[^()"'])*\)/gi, 'none')
}
