/** Python's format specification: [[fill]align][sign][#][0][width][,|_][.precision][type]. */
export interface FormatSpec {
  readonly text: string
  /** Undefined when the spec names none; the `0` flag then fills with zeros. */
  readonly fill: string | undefined
  readonly align: '' | '<' | '>' | '^' | '='
  readonly sign: '' | '+' | '-' | ' '
  readonly alternate: boolean
  readonly zero: boolean
  readonly width: number
  readonly grouping: '' | ',' | '_'
  /** -1 when the spec names none. */
  readonly precision: number
  readonly type: SpecType
}

export type IntegerType = 'd' | 'b' | 'o' | 'x' | 'X'
type FloatType = 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%'
type SpecType = '' | 's' | IntegerType | FloatType

/** So that a template of a few bytes cannot ask for gigabytes of padding or digits. */
export const MAX_SPEC_NUMBER = 10_000

const SPEC = new RegExp(
  [
    '^(?:(?:(?<fill>[^{}])(?=[<>=^]))?(?<align>[<>=^]))?',
    '(?<sign>[-+ ])?(?<alternate>#)?(?<digits>\\d+)?(?<grouping>[,_])?',
    '(?:\\.(?<precision>\\d+))?(?<type>[sdboxXeEfFgG%])?'
  ].join(''),
  'u'
)

interface ScannedSpec {
  readonly spec: FormatSpec
  readonly end: number
}

/** Reads the longest spec that `text` begins with; that can be the empty one. */
export function scanFormatSpec(text: string): ScannedSpec {
  const match = SPEC.exec(text)!
  const part = (match.groups ?? {}) as Readonly<Record<string, string | undefined>>
  const digits = part.digits ?? ''
  const spec: FormatSpec = {
    text: match[0],
    fill: part.fill,
    align: (part.align ?? '') as FormatSpec['align'],
    sign: (part.sign ?? '') as FormatSpec['sign'],
    alternate: part.alternate !== undefined,
    // As in Python: after an explicit fill, a leading zero is only a digit of the width.
    zero: part.fill === undefined && digits.startsWith('0'),
    width: Number(digits),
    grouping: (part.grouping ?? '') as FormatSpec['grouping'],
    precision: part.precision === undefined ? -1 : Number(part.precision),
    type: (part.type ?? '') as SpecType
  }
  return { spec, end: match[0].length }
}

export function isIntegerType(type: SpecType): type is IntegerType {
  return type !== '' && 'dboxX'.includes(type)
}

export function isFloatType(type: SpecType): type is FloatType {
  return type !== '' && 'eEfFgG%'.includes(type)
}

/** What no value could ever be formatted with, in words; undefined when the spec makes sense. */
export function findContradiction(spec: FormatSpec): string | undefined {
  if (spec.width > MAX_SPEC_NUMBER) return `the width is more than ${MAX_SPEC_NUMBER}`
  if (spec.precision > MAX_SPEC_NUMBER) return `the precision is more than ${MAX_SPEC_NUMBER}`
  if (spec.type === 's') return findNumberOnlyPart(spec)
  if (!isIntegerType(spec.type)) return undefined
  if (spec.precision >= 0) return `"${spec.type}" prints whole numbers and takes no precision`
  if (spec.grouping === ',' && spec.type !== 'd') return `"," does not go with "${spec.type}": use "_"`
  return undefined
}

/** The part of a spec that text cannot be formatted with, in words. */
export function findNumberOnlyPart(spec: FormatSpec): string | undefined {
  if (spec.sign !== '') return `the sign "${spec.sign}" is for numbers`
  if (spec.alternate) return '"#" is for numbers'
  if (spec.align === '=') return 'the alignment "=" is for numbers'
  if (spec.grouping !== '') return `"${spec.grouping}" is for numbers`
  return undefined
}
