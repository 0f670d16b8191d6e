import type { Cell, Sheet } from 'hucre'
import type { Zip } from './zip.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Of sheets of older Macs; in the others day 1 is the first of 1900, which for them was a leap year. */
const EPOCH_1904 = Date.UTC(1904, 0, 1)
const EPOCH_1900 = Date.UTC(1899, 11, 31)
const NO_LEAP_DAY = 60

const ELAPSED = /\[(?:h+|m+|s+)\]/i
/** The format of spreadsheets that is `[h]:mm:ss`, and any that somebody wrote. */
const HAS_ELAPSED = /\bnumFmtId="46"|\bformatCode="[^"]*\[(?:h+|m+|s+)\]/i

/** Whether cells of a workbook may hold how long something took, which needs the formats of all cells to be read. */
export async function hasElapsed(zip: Zip): Promise<boolean> {
  if (!zip.names.includes(STYLES)) return false
  return HAS_ELAPSED.test(await zip.text(STYLES))
}

const STYLES = 'xl/styles.xml'
const WORKBOOK = 'xl/workbook.xml'

export async function countsFrom1904(zip: Zip): Promise<boolean> {
  if (!zip.names.includes(WORKBOOK)) return false
  return /\bdate1904="(?:1|true)"/i.test(await zip.text(WORKBOOK))
}

/** The rows of a sheet that was read with its formats, and as if it counted from 1904: only then no two numbers are one date. */
export function withElapsed({ rows, cells }: Sheet, isFrom1904: boolean): Sheet['rows'] {
  return rows.map((row, at) =>
    row.map((value, column) => {
      if (!(value instanceof Date)) return value
      const ms = value.getTime() - EPOCH_1904
      if (isElapsed(cells?.get(`${at},${column}`))) return elapsedText(ms)
      return isFrom1904 ? value : dateFrom1900(ms)
    })
  )
}

function isElapsed(cell: Cell | undefined): boolean {
  return ELAPSED.test(cell?.style?.numFmt ?? '')
}

function dateFrom1900(ms: number): Date {
  return new Date(EPOCH_1900 + (ms < NO_LEAP_DAY * DAY_MS ? ms : ms - DAY_MS))
}

/** As a time of day is told, with as many hours as it takes: 37:30:00. */
function elapsedText(ms: number): string {
  const [sign, length] = ms < 0 ? ['-', -ms] : ['', ms]
  const hours = Math.floor(length / (60 * 60 * 1000))
  const rest = new Date(length % (60 * 60 * 1000)).toISOString().slice(14, 23)
  return `${sign}${String(hours).padStart(2, '0')}:${rest.replace('.000', '')}`
}
