import {
  daysIn,
  formatFault,
  momentAt,
  namesOf,
  offsetOf,
  tokensOf,
  type WallTime,
  type Zone
} from '../../plugin-api.ts'

const TWO = '(\\d\\d)'
const SOME = '(\\d{1,2})'
const OFFSET = '(Z|[+-]\\d\\d:?\\d\\d)'
const EPOCH = '(-?\\d{1,17})'
const WORD = '(\\p{L}{1,20}\\.?)'
const HALF = '(am|pm)'

/** What the letters of a format read, as patterns. */
const READ: Readonly<Record<string, string>> = {
  ...{ yyyy: '(\\d{4})', yy: TWO, MM: TWO, M: SOME, dd: TWO, d: SOME, EEEE: WORD, EEE: WORD, E: WORD },
  ...{ HH: TWO, H: SOME, hh: TWO, h: SOME, mm: TWO, m: SOME, ss: TWO, s: SOME },
  ...{ SSS: '(\\d{3})', a: HALF, A: HALF, Z: OFFSET, ZZ: OFFSET, X: EPOCH, x: EPOCH }
}

/** What is wrong with a format that dates are to be read by. Each letter once, so that no text takes long to read. */
export function readFormatFault(format: string): string | undefined {
  const wrong = formatFault(format)
  if (wrong !== undefined) return wrong
  const letters = tokensOf(format).flatMap((token) => token.letters ?? [])
  const odd = letters.find((each) => !each.startsWith('MMM') && READ[each] === undefined)
  if (odd !== undefined) return `Dates cannot be read by "${odd}". Write days and months instead.`
  const twice = letters.find((each, at) => letters.indexOf(each) !== at)
  return twice === undefined ? undefined : `It has "${twice}" twice. Write it once.`
}

/** Reads dates that are written by a format: undefined for one that is not, or that names a day that does not exist. */
export type ReadDate = (text: string) => number | undefined

/** Longer texts are not dates. */
const LONGEST_DATE = 1_000

/** The format is read once for all dates. */
export function dateReader(format: string, zone: Zone, locale: string): ReadDate {
  const tokens = tokensOf(format)
  const { months } = namesOf(locale)
  const names = (letters: string) => months(letters === 'MMM' ? 'short' : 'long')
  const pattern = tokens.map(({ letters, text: literal }) => {
    if (literal !== undefined) return escaped(literal)
    if (letters!.startsWith('MMM')) return `(${names(letters!).map(escaped).join('|')})`
    return READ[letters!]!
  })
  const whole = new RegExp(`^${pattern.join('')}$`, 'iu')
  const letters = tokens.flatMap((token) => token.letters ?? [])
  return (text) => {
    const found = text.length > LONGEST_DATE ? null : whole.exec(text.trim())
    if (found === null) return undefined
    return momentRead(new Map(letters.map((each, at) => [each, found[at + 1]!])), names, zone)
  }
}

function momentRead(
  read: ReadonlyMap<string, string>,
  names: (letters: string) => readonly string[],
  zone: Zone
): number | undefined {
  const epoch = read.get('X') ?? read.get('x')
  if (epoch !== undefined) return Number(epoch) * (read.has('X') ? 1000 : 1)
  const number = (...letters: string[]) => {
    const given = letters.map((each) => read.get(each)).find((each) => each !== undefined)
    return given === undefined ? undefined : Number(given)
  }
  const wall: WallTime = {
    year: number('yyyy') ?? yearOf(number('yy')),
    month: monthOf(read, names) ?? number('MM', 'M') ?? 1,
    day: number('dd', 'd') ?? 1,
    hour: hourOf(number('HH', 'H'), number('hh', 'h'), read.get('a') ?? read.get('A')),
    minute: number('mm', 'm') ?? 0,
    second: number('ss', 's') ?? 0,
    ms: number('SSS') ?? 0
  }
  if (!isReal(wall)) return undefined
  const offset = read.get('Z') ?? read.get('ZZ')
  return offset === undefined ? momentAt(wall, zone) : momentAtOffset(wall, offset)
}

/** 69 is of this century, 70 of the last. */
function yearOf(short: number | undefined): number {
  if (short === undefined) return 1970
  return short < 70 ? 2000 + short : 1900 + short
}

function monthOf(
  read: ReadonlyMap<string, string>,
  names: (letters: string) => readonly string[]
): number | undefined {
  for (const letters of ['MMMM', 'MMM']) {
    const name = read.get(letters)?.toLowerCase()
    if (name !== undefined) return names(letters).findIndex((each) => each.toLowerCase() === name) + 1
  }
  return undefined
}

function hourOf(of24: number | undefined, of12: number | undefined, half: string | undefined): number {
  if (of24 !== undefined || of12 === undefined) return of24 ?? 0
  if (half === undefined || of12 < 1 || of12 > 12) return of12
  return (of12 % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

export function momentAtOffset(wall: WallTime, text: string): number | undefined {
  const offset = offsetOf(text)
  return offset === undefined ? undefined : momentAt(wall, { name: text, offsetAt: () => offset })
}

/** Refuses a day or a time that does not exist, such as the 30th of February or 25 o'clock. */
export function isReal({ year, month, day, hour, minute, second }: WallTime): boolean {
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59
  )
}

function escaped(text: string): string {
  return text.replace(/[\^$.*+?()[\]{}|/\\]/g, '\\$&')
}
