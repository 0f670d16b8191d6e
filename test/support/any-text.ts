import fc from 'fast-check'

/** These stand for halves of a pair, and for no character. */
const SURROGATES = { from: 0xd800, count: 0x800 }

// As the unit "binary" of fast-check has them. For that one it keeps a map of all 1.1 million of them, for as long as the
// process is there: 1.0 s of a processor, and 116 MB that are marked whenever garbage is collected.
const CODE_POINTS = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((index) => String.fromCodePoint(index + skipped(index)), indexOf)

function skipped(index: number): number {
  return index < SURROGATES.from ? 0 : SURROGATES.count
}

function indexOf(text: unknown): number {
  const point = typeof text === 'string' ? text.codePointAt(0) : undefined
  if (
    point === undefined ||
    text !== String.fromCodePoint(point) ||
    !String.fromCodePoint(point).isWellFormed()
  )
    throw new Error('it is not one character')
  return point - (point < SURROGATES.from ? 0 : SURROGATES.count)
}

/** Texts of any characters that Unicode has, assigned or not; none has half of a pair. */
export function anyText(bounds: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...bounds, unit: CODE_POINTS })
}
