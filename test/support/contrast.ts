import type { Page } from 'playwright-core'

/** Red, green and blue up to 255, and how opaque it is, up to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** What a text stands on: an element around it, beginning with its own. */
export interface Layer {
  readonly background: Colour
  readonly opacity: number
}

export interface ShownText {
  readonly theme: string
  readonly html: string
  readonly colour: Colour
  /** From the inside out. */
  readonly layers: readonly Layer[]
  /** As WCAG has it: 24 px, or 18.66 px in bold. */
  readonly isLarge: boolean
}

/**
 * The texts of a part of the page that are too faint to be read, in both themes. axe asks the same, and takes 0.4 s of a
 * processor for it in each theme, because it looks for all that may lie above or below a text. Here a text stands on the
 * elements that it is in. A text on an image is left out, as it is by axe.
 */
export async function findFaintTexts(page: Page, part: string, themes: readonly string[]): Promise<string[]> {
  const texts: ShownText[] = await page.evaluate(
    `(${READ_TEXTS})(${JSON.stringify(part)}, ${JSON.stringify(themes)})`
  )
  return texts.filter(isFaint).map(({ theme, html, colour, layers }) => {
    const ratio = contrastOf(colour, layers).toFixed(2)
    return `in ${theme} colours, a contrast of ${ratio} only: ${html}`
  })
}

export function isFaint({ colour, layers, isLarge }: Omit<ShownText, 'theme' | 'html'>): boolean {
  return contrastOf(colour, layers) < (isLarge ? 3 : 4.5)
}

/** Of a text to what it stands on, as WCAG counts it: from 1 to 21. */
export function contrastOf(colour: Colour, layers: readonly Layer[]): number {
  let text = colour
  let ground: Colour = [0, 0, 0, 0]
  for (const { background, opacity } of layers) {
    text = faded(over(text, background), opacity)
    ground = faded(over(ground, background), opacity)
  }
  const [darker, lighter] = [text, ground]
    .map((top) => luminanceOf(over(top, [255, 255, 255, 1])))
    .toSorted((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function faded([red, green, blue, alpha]: Colour, opacity: number): Colour {
  return [red, green, blue, alpha * opacity]
}

function over(top: Colour, below: Colour): Colour {
  const rest = below[3] * (1 - top[3])
  const alpha = top[3] + rest
  const mix = (at: 0 | 1 | 2) => (alpha === 0 ? 0 : (top[at] * top[3] + below[at] * rest) / alpha)
  return [mix(0), mix(1), mix(2), alpha]
}

function luminanceOf([red, green, blue]: Colour): number {
  const linear = (value: number) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/**
 * In the page, whose colours hang on one attribute: the themes are looked at without anything being drawn in between.
 * Texts of the same colours are told once. What is exempt for WCAG and for axe is left out: what nobody sees, what is
 * disabled, single characters.
 */
const READ_TEXTS = `(part, themes) => {
  const root = document.documentElement
  const THEME = 'data-mantine-color-scheme'
  const shown = root.getAttribute(THEME)
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const colours = new Map()
  const colourOf = (text) => {
    if (!colours.has(text)) {
      pixel.clearRect(0, 0, 1, 1)
      pixel.fillStyle = text
      pixel.fillRect(0, 0, 1, 1)
      const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data
      colours.set(text, [red, green, blue, alpha / 255])
    }
    return colours.get(text)
  }
  const ENTERED = 'input:not([type="checkbox"], [type="radio"], [type="range"], [type="color"], [type="file"]), select, textarea'
  const EXEMPT = ':disabled, [aria-disabled="true"], [data-disabled="true"], [aria-hidden="true"], [inert], option, label:has(:disabled)'
  const textOf = (element) =>
    element.matches(ENTERED)
      ? element.value
      : [...element.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data).join('')
  const isRead = (element) => {
    if (!(element instanceof HTMLElement) || textOf(element).trim().length < 2) return false
    if (element.closest(EXEMPT) || (element.closest('label')?.control?.disabled ?? false)) return false
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1
  }
  const elements = [...document.querySelectorAll(part)]
    .flatMap((top) => [top, ...top.querySelectorAll('*')])
    .filter(isRead)
  // In one theme: texts have most of what is around them in common.
  const grounds = new Map()
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
      grounds.set(element, { background: colourOf(backgroundColor), isImage: backgroundImage !== 'none', opacity })
    }
    return grounds.get(element)
  }
  const read = (element) => {
    const layers = []
    let isOpaque = false
    for (let around = element; around !== null; around = around.parentElement) {
      const { background, isImage, opacity } = groundOf(around)
      if (!isOpaque && isImage) return undefined
      isOpaque ||= background[3] === 1
      if (background[3] > 0 || opacity !== '1') layers.push({ background, opacity: Number(opacity) })
    }
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24)
    return { colour: colourOf(color), layers, isLarge }
  }
  const texts = new Map()
  try {
    for (const theme of themes) {
      root.setAttribute(THEME, theme)
      grounds.clear()
      for (const element of elements) {
        const text = read(element)
        const key = theme + JSON.stringify(text)
        if (text !== undefined && !texts.has(key)) texts.set(key, { theme, html: element.outerHTML.slice(0, 200), ...text })
      }
    }
  } finally {
    root.setAttribute(THEME, shown)
  }
  return [...texts.values()]
}`
