import type { FormatSpec } from './format-spec.ts'
import { codePointCount } from './template-place.ts'

/** Cuts and pads text, counting characters as Python does: by code point. */
export function formatText(text: string, spec: FormatSpec): string {
  const cut = spec.precision < 0 ? text : firstCodePoints(text, spec.precision)
  const fill = spec.fill ?? (spec.zero ? '0' : ' ')
  const padding = spec.width === 0 ? 0 : Math.max(spec.width - codePointCount(cut), 0)
  if (spec.align === '>') return fill.repeat(padding) + cut
  if (spec.align !== '^') return cut + fill.repeat(padding)
  const left = Math.floor(padding / 2)
  return fill.repeat(left) + cut + fill.repeat(padding - left)
}

function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let left = count; left > 0 && end < text.length; left--) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
