import { plainText } from '../../../../src/flows/template/plain-words.ts'

/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | undefined | readonly Html[]

/** html`<p>${words}</p>`: whatever is put in is escaped, unless it was made by this as well. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(asHtml)))
}

/** As a heading with its anchor, and what a table of contents says of it. */
export interface Reference {
  readonly title: string
  readonly html: string
  readonly headings: readonly { readonly id: string; readonly text: string; readonly level: number }[]
}

/** What stands in backquotes is code. */
export function sentence(text: string): Html {
  const parts = text.split('`')
  return new Html(
    parts.map((part, at) => (at % 2 === 0 ? escaped(part) : `<code>${escaped(part)}</code>`)).join('')
  )
}

export function table(heads: readonly string[], rows: readonly (readonly Part[])[]): Html {
  if (rows.length === 0) return html``
  const shown = heads.map((_, column) => rows.some((row) => asHtml(row[column]) !== ''))
  const used = <T>(cells: readonly T[]) => cells.filter((_, column) => shown[column])
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${used(heads).map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${used(row).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}

export function code(text: string): Html {
  return html`<div class="code"><pre tabindex="0"><code>${text}</code></pre><button type="button" class="copy">Copy</button></div>`
}

function asHtml(value: Part): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(asHtml).join('')
  return escaped(String(value))
}

function escaped(text: string): string {
  return plainText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
