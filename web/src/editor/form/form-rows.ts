import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'

/** A field of a form as the document has it. */
export type FormRow = { readonly [key: string]: JsonValue }

/** The fields of a form, if they can be edited row by row. */
export function formRows(value: JsonValue): readonly FormRow[] | undefined {
  return Array.isArray(value) && value.every(isPlainObject) ? (value as FormRow[]) : undefined
}

/** The key that an answer gets, by what the field is called: "Your e-mail?" is `your_e_mail`. */
export function nameFor(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
}

/** The same row with another label. As long as nobody has written a name, that follows the label. */
export function withLabel(rows: readonly FormRow[], at: number, label: string): FormRow[] {
  const row = rows[at]!
  const before = typeof row.label === 'string' ? row.label : ''
  const name = typeof row.name === 'string' ? row.name : ''
  const follows = name === '' || name.replace(/_\d+$/, '') === nameFor(before)
  const others = rows.filter((_row, place) => place !== at)
  return rows.with(at, { ...row, label, ...(follows ? { name: freeName(nameFor(label), others) } : {}) })
}

export function addRow(rows: readonly FormRow[]): FormRow[] {
  const label = 'New field'
  return [...rows, { name: freeName(nameFor(label), rows), label, type: 'text', required: false }]
}

export function duplicateRow(rows: readonly FormRow[], at: number): FormRow[] {
  const row = rows[at]!
  const name = freeName(String(row.name ?? '').replace(/_\d+$/, ''), rows)
  return rows.toSpliced(at + 1, 0, { ...row, name })
}

export function moveRow<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  return rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]!)
}

/** Where a row is after another one was moved. */
export function placeAfterMove(at: number, from: number, to: number): number {
  if (at === from) return to
  if (from < at && at <= to) return at - 1
  return to <= at && at < from ? at + 1 : at
}

function freeName(wanted: string, rows: readonly FormRow[]): string {
  if (wanted === '') return ''
  const taken = new Set(rows.map(({ name }) => name))
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted}_${number}`)) number++
  return `${wanted}_${number}`
}

/** Answers that fit, to try the flow out with. */
export function sampleAnswers(
  fields: readonly { readonly name: string; readonly type: string; readonly choices: readonly string[] }[]
): JsonValue {
  return Object.fromEntries(
    fields.map(({ name, type, choices }) => [name, SAMPLES[type]?.(choices) ?? 'Text'])
  )
}

const SAMPLES: Readonly<Record<string, (choices: readonly string[]) => JsonValue>> = {
  'long text': () => 'A longer text.',
  number: () => 7,
  email: () => 'ada@example.com',
  date: () => '2026-03-31',
  choice: ([first]) => first ?? null,
  checkbox: () => true,
  file: () => null
}
