import { separateStyles } from '../../../../editor/mail/separate-styles.ts'
import { withoutLoads } from '../../../../editor/mail/without-loads.ts'

/** What has no place in a mail that is only looked at. */
const LEFT_OUT =
  'script, noscript, iframe, frame, frameset, object, embed, link, meta, base, audio, video, template'

/** What would be loaded or opened. */
const ADDRESSES = [
  'src',
  'srcset',
  'background',
  'poster',
  'data',
  'action',
  'formaction',
  'ping',
  'xlink:href'
]

const OWN_STYLES = `
  html { color-scheme: light; background: #fff; color: #1f2328; font: 14px/1.5 system-ui, sans-serif }
  body { display: flow-root; margin: 0; padding: 12px; overflow-wrap: anywhere }
  img { max-width: 100% }
  a[title] { color: #0b5cad; text-decoration: underline }
`

/** Draws a mail into an empty page. Answers how many pictures were left out, as they are not part of the mail itself. */
export function fillFrame(page: Document, html: string): number {
  const { html: plain, sheets } = separateStyles(html)
  const parsed = new DOMParser().parseFromString(plain, 'text/html')
  for (const part of parsed.querySelectorAll(LEFT_OUT)) part.remove()
  let pictures = 0
  for (const element of parsed.querySelectorAll('*')) pictures += tame(element)
  page.body.replaceChildren(...[...parsed.body.childNodes].map((child) => page.importNode(child, true)))
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = withoutLoads(element.dataset.style ?? '')
  }
  page.adoptedStyleSheets = [OWN_STYLES, ...sheets].map((text) => styleSheet(page, text))
  return pictures
}

/** Answers whether it is a picture that would have to be loaded: 1 or 0. */
function tame(element: Element): number {
  const isPart = element.getAttribute('src')?.trim().startsWith('data:image/') === true
  const isLoaded = element.localName === 'img' && element.hasAttribute('src') && !isPart
  const address = element.getAttribute('href')
  if (address !== null) element.setAttribute('title', address)
  element.removeAttribute('href')
  for (const { name } of [...element.attributes]) {
    const isAddress = ADDRESSES.includes(name) && !(name === 'src' && isPart)
    if (isAddress) element.removeAttribute(name)
  }
  return isLoaded ? 1 : 0
}

/** A page takes only sheets that were made in it. */
function styleSheet(page: Document, text: string): CSSStyleSheet {
  const { CSSStyleSheet: Sheet } = page.defaultView as Window & typeof globalThis
  const sheet = new Sheet()
  sheet.replaceSync(text)
  return sheet
}
