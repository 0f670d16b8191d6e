import { dateFormat } from '../../../../src/flows/date/date-format.ts'
import { UTC } from '../../../../src/flows/date/zone.ts'

/** How a time may be written: what people ask for first. */
const FORMATS = ['yyyy-MM-dd', 'yyyy-MM-dd HH:mm', 'dd.MM.yyyy', 'MM/dd/yyyy', 'HH:mm', 'EEEE', 'MMMM yyyy']

const BEGUN = /\{\s*\$(?:now|run\.created_at)\s*:\s*([^{}]*)$/

interface FormatOption {
  readonly label: string
  /** The time of now, written so. */
  readonly sample: string
}

/** Formats to choose from behind `{$now:`; undefined where the cursor stands elsewhere. */
export function completeTime(
  before: string,
  now: number
): { readonly from: number; readonly options: readonly FormatOption[] } | undefined {
  const begun = BEGUN.exec(before)?.[1]
  if (begun === undefined) return undefined
  const options = FORMATS.filter((label) => label.startsWith(begun)).map((label) => ({
    label,
    sample: dateFormat(label, UTC, 'en')(now)
  }))
  return { from: before.length - begun.length, options }
}
