import type { FormatSpec } from './format-spec.ts'

/** A number in pieces: only `digits` are grouped, `rest` is the point and all that follows it. */
interface NumberPieces {
  readonly negative: boolean
  readonly prefix: string
  readonly digits: string
  readonly rest: string
}

/** Puts sign, grouping and padding around a number's digits, as Python does. */
export function layoutNumber(pieces: NumberPieces, spec: FormatSpec): string {
  const fill = spec.fill ?? (spec.zero ? '0' : ' ')
  const align = spec.align === '' ? (spec.zero ? '=' : '>') : spec.align
  const head = signOf(pieces.negative, spec) + pieces.prefix
  // Zeros put between the sign and the digits are digits themselves, and are grouped with them.
  const zeroFilled = fill === '0' && align === '='
  const minWidth = zeroFilled ? spec.width - head.length - pieces.rest.length : 0
  const body = groupDigits(pieces.digits, spec, minWidth) + pieces.rest
  const padding = Math.max(spec.width - head.length - body.length, 0)
  if (align === '<') return head + body + fill.repeat(padding)
  if (align === '>') return fill.repeat(padding) + head + body
  if (align === '=') return head + fill.repeat(padding) + body
  const left = Math.floor(padding / 2)
  return fill.repeat(left) + head + body + fill.repeat(padding - left)
}

function signOf(negative: boolean, spec: FormatSpec): string {
  if (negative) return '-'
  return spec.sign === '-' ? '' : spec.sign
}

function groupDigits(digits: string, spec: FormatSpec, minWidth: number): string {
  // Infinity has no digits, and Python pads it outside the grouping.
  if (digits === '') return ''
  if (spec.grouping === '') return digits.padStart(minWidth, '0')
  const size = spec.type !== '' && 'boxX'.includes(spec.type) ? 4 : 3
  const zeroed = digits.padStart(digitsThatFill(minWidth, size), '0')
  const first = zeroed.length % size || size
  const groups = [zeroed.slice(0, first)]
  for (let at = first; at < zeroed.length; at += size) groups.push(zeroed.slice(at, at + size))
  return groups.join(spec.grouping)
}

/** The fewest digits that are at least `width` wide once separators stand between them. */
function digitsThatFill(width: number, size: number): number {
  const whole = Math.floor(width / (size + 1))
  return width <= 0 ? 0 : whole * size + Math.max(width % (size + 1), 1)
}
