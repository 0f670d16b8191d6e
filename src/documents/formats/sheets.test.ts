import assert from 'node:assert/strict'
import { it } from 'node:test'
import { writeXlsx } from 'hucre/xlsx'
import { readSheets } from './sheets.ts'

it('a time of day in a cell is told without the day that sheets begin to count at', async () => {
  const at = (hour: number, minute: number) => new Date(Date.UTC(1899, 11, 31, hour, minute))
  const rows = [[at(9, 30), at(0, 0), new Date('2026-03-02T09:30:00Z'), new Date('2026-03-02')]]
  const bytes = await writeXlsx({ sheets: [{ name: 'A', rows }] })
  const document = { bytes, filename: 'a.xlsx', contentType: '' }
  const { data } = await readSheets('xlsx', document, { sheets: [], hasHeader: false })
  assert.deepEqual(data, {
    sheets: { A: [['09:30:00', '00:00:00', '2026-03-02T09:30:00.000Z', '2026-03-02']] }
  })
})

for (const dateSystem of ['1900', '1904'] as const)
  it(`how long something took is told in hours, however many, in a sheet that counts from ${dateSystem}`, async () => {
    const elapsed = ['[h]:mm', '[hh]:mm:ss', '[h]:mm:ss'].map((numFmt) => ({ style: { numFmt } }))
    const cells = new Map(elapsed.map((cell, column) => [`0,${column}`, cell]))
    cells.set('0,3', { style: { numFmt: 'yyyy-mm-dd' } })
    const day = new Date('2026-03-02')
    const rows = [[37.5 / 24, 0.25 / 24, 1452 / 24, day, new Date('1904-02-27')]]
    const bytes = await writeXlsx({ dateSystem, sheets: [{ name: 'A', rows, cells }] })
    const document = { bytes, filename: 'a.xlsx', contentType: '' }
    const { data } = await readSheets('xlsx', document, { sheets: [], hasHeader: false })
    assert.deepEqual(data, {
      sheets: { A: [['37:30:00', '00:15:00', '1452:00:00', '2026-03-02', '1904-02-27']] }
    })
  })
