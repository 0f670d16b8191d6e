import { parseCsv } from '../../../src/components/data/csv-parse.ts'
import { atOnce } from '../../../src/flows/in-turns.ts'

interface TableBeginning {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** There are columns or rows that are not here. */
  readonly isCut: boolean
}

export const MOST_ROWS = 20
export const MOST_COLUMNS = 12

/** The first rows of a CSV of which `text` is the whole, or the beginning; undefined where it cannot be read as one. */
export function tableBeginning(text: string, isWhole: boolean): TableBeginning | undefined {
  const records = isWhole ? recordsIn(text) : recordsOfBeginning(text)
  const [header, ...rows] = records ?? []
  if (header === undefined) return undefined
  const width = Math.max(header.length, ...rows.slice(0, MOST_ROWS).map((row) => row.length))
  return {
    header: header.slice(0, MOST_COLUMNS),
    rows: rows.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS)),
    isCut: !isWhole || rows.length > MOST_ROWS || width > MOST_COLUMNS
  }
}

/** A line may end inside of a quoted cell: then the record began some lines before. */
const MOST_TRIES = 40

function recordsOfBeginning(text: string): string[][] | undefined {
  let end = text.lastIndexOf('\n')
  for (let tries = 0; end > 0 && tries < MOST_TRIES; tries++) {
    const records = recordsIn(text.slice(0, end))
    if (records !== undefined) return records
    end = text.lastIndexOf('\n', end - 1)
  }
  return undefined
}

const RULES = { delimiter: undefined, hasHeader: false, isTyped: false, allowsUneven: true }

function recordsIn(text: string): string[][] | undefined {
  try {
    return atOnce(parseCsv(text, RULES, Number.POSITIVE_INFINITY)) as string[][]
  } catch {
    return undefined
  }
}
