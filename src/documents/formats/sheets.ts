import type { CellValue, Sheet as WorkbookSheet } from 'hucre'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { GivenDocument } from '../../flows/step/step-documents.ts'
import { decodeText } from '../decode-text.ts'
import { BadDocument, brokenDocument } from '../document-fault.ts'
import type { Extracted } from '../extracted.ts'
import { optionalPackage } from '../optional-package.ts'
import { csvRows } from './csv-rows.ts'
import { countsFrom1904, hasElapsed, withElapsed } from './elapsed-time.ts'
import { readZip, type Zip } from './zip.ts'

interface Asked {
  readonly sheets: readonly string[]
  readonly hasHeader: boolean
}

interface Sheet {
  readonly name: string
  readonly rows: readonly (readonly JsonValue[])[]
}

/** The rows of every sheet, or of those that are asked for. CSV is one sheet, named by its file. */
export async function readSheets(
  type: 'xlsx' | 'ods' | 'csv',
  document: GivenDocument,
  asked: Asked
): Promise<Extracted> {
  const all = type === 'csv' ? [csvSheet(document)] : await sheetsOf(type, document.bytes)
  const sheets = asked.sheets.length === 0 ? all : asked.sheets.map((name) => sheetNamed(name, all))
  return {
    text: textOf(sheets),
    data: { sheets: Object.fromEntries(sheets.map(({ name, rows }) => [name, rowsOf(rows, asked)])) }
  }
}

async function sheetsOf(type: 'xlsx' | 'ods', bytes: Uint8Array): Promise<Sheet[]> {
  // First its directory: what would unpack to gigabytes is refused here.
  const zip = await readZip(bytes)
  try {
    const sheets = await (type === 'ods' ? odsSheets(bytes) : xlsxSheets(bytes, zip))
    return sheets.map(({ name, rows }) => ({ name, rows: withoutEmptyEnd(rows.map((row) => row.map(cell))) }))
  } catch (error) {
    if (error instanceof Error && error.name === 'EncryptedFileError')
      throw new BadDocument(
        'document_encrypted',
        'The spreadsheet is protected by a password. Save it without one and send it again.'
      )
    if (error instanceof Error && /\bspans .* over the \d+ limit/.test(error.message)) throw tooWide()
    throw brokenDocument(`a spreadsheet (${type.toUpperCase()})`, error)
  }
}

/** One cell far off is enough, and a format that somebody gave to it. */
function tooWide(): BadDocument {
  return new BadDocument(
    'document_too_large',
    'A sheet of it spans more than 20,000,000 cells. Delete what stands far off from the rest, formats too, and send it again.'
  )
}

type WorkbookSheets = readonly Pick<WorkbookSheet, 'name' | 'rows'>[]

async function odsSheets(bytes: Uint8Array): Promise<WorkbookSheets> {
  const { readOds } = await optionalPackage('hucre', () => import('hucre/ods'), 'hucre/ods')
  return (await readOds(bytes)).sheets
}

async function xlsxSheets(bytes: Uint8Array, zip: Zip): Promise<WorkbookSheets> {
  const { readXlsx } = await optionalPackage('hucre', () => import('hucre/xlsx'), 'hucre/xlsx')
  if (!(await hasElapsed(zip))) return (await readXlsx(bytes)).sheets
  const { sheets } = await readXlsx(bytes, { readStyles: true, dateSystem: '1904' })
  const isFrom1904 = await countsFrom1904(zip)
  return sheets.map((sheet) => ({ name: sheet.name, rows: withElapsed(sheet, isFrom1904) }))
}

/** Sheets count days from here: before it lies a time of day without a date. */
const FIRST_YEAR = 1900

/** A date without a time of day is one in most sheets, and a time without a date is one too: they are told as such. */
function cell(value: CellValue): JsonValue {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return null
    const text = value.toISOString()
    if (value.getUTCFullYear() === FIRST_YEAR - 1) return text.slice(11, 19)
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  return value ?? null
}

/** Rows that only have a format come as empty ones. */
function withoutEmptyEnd(rows: JsonValue[][]): JsonValue[][] {
  const isEmpty = (row: readonly JsonValue[]) => row.every((value) => value === null || value === '')
  let length = rows.length
  while (length > 0 && isEmpty(rows[length - 1]!)) length -= 1
  return rows.slice(0, length)
}

function csvSheet({ bytes, filename, contentType }: GivenDocument): Sheet {
  const text = decodeText(bytes, contentType)
  const isTabs = /^text\/tab/i.test(contentType) || /\.tsv$/i.test(filename)
  return {
    name: filename.replace(/\.[^.]*$/, '') || 'Sheet1',
    rows: csvRows(text, isTabs ? '\t' : undefined)
  }
}

function sheetNamed(name: string, sheets: readonly Sheet[]): Sheet {
  const found = sheets.find((sheet) => sheet.name === name)
  if (found !== undefined) return found
  const names = sheets.map((sheet) => JSON.stringify(sheet.name)).slice(0, 20)
  throw new BadDocument(
    'document_unknown',
    `There is no sheet ${JSON.stringify(name)} in it. It has ${names.join(', ')}. Name one of them in Sheets, or leave that empty for all.`
  )
}

/** Objects by the names in the first row, or lists. */
function rowsOf(rows: Sheet['rows'], { hasHeader }: Asked): JsonValue[] {
  if (!hasHeader) return rows.map((row) => [...row])
  const [first, ...others] = rows
  if (first === undefined) return []
  const width = others.reduce((most, row) => Math.max(most, row.length), first.length)
  const names = columnNames(first, width)
  return others.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])))
}

/** A column without a name has its number, and one whose name is taken has a number behind it. */
function columnNames(first: readonly JsonValue[], width: number): string[] {
  const names = new Set<string>()
  // A million columns may have one name.
  const lastOf = new Map<string, number>()
  for (let at = 0; at < width; at++) {
    const value = first[at]
    const name =
      value === null || value === undefined || value === '' ? `column_${at + 1}` : String(value).trim()
    let own = name
    let next = lastOf.get(name) ?? 2
    for (; names.has(own); next++) own = `${name}_${next}`
    lastOf.set(name, next)
    names.add(own)
  }
  return [...names]
}

function textOf(sheets: readonly Sheet[]): string {
  const lines = (rows: Sheet['rows']) =>
    rows.map((row) => row.map((value) => (value === null ? '' : String(value))).join('\t')).join('\n')
  if (sheets.length === 1) return lines(sheets[0]!.rows)
  return sheets.map(({ name, rows }) => `${name}\n${lines(rows)}`).join('\n\n')
}
