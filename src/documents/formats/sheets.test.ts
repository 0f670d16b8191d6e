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
