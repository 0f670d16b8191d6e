import { Button } from '@mantine/core'
import { useState } from 'react'
import { asFile } from '../../../../src/flows/file-value.ts'
import { isPlainObject, type JsonValue, writeJson } from '../../../../src/flows/json/exact-json.ts'
import { withSignsShown } from '../../../../src/flows/template/signs-shown.ts'
import { ShownFile } from '../../file-parts/shown-file.tsx'
import { LongText } from './long-text.tsx'
import { Scalar } from './scalar.tsx'
import type { Table } from './table-of.ts'
import classes from './value-view.module.css'

const PAGE = 100
/** Whoever sends rows may name each of their columns otherwise: a hundred rows are a million cells then. */
const COLUMNS = 50
const CELL_GLANCE = 300

export function ValueTable({ table }: { readonly table: Table }) {
  const [shown, setShown] = useState(PAGE)
  const [wide, setWide] = useState(COLUMNS)
  const { rows } = table
  const columns = table.columns.slice(0, wide)
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {withSignsShown(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a value that never changes.
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>{Object.hasOwn(row, column) ? <Cell value={row[column]!} /> : null}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.columns.length > wide && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWide(wide + COLUMNS)}>
          Show more columns ({table.columns.length - wide} left)
        </Button>
      )}
      {rows.length > shown && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + PAGE)}>
          Show more rows ({rows.length - shown} left)
        </Button>
      )}
    </>
  )
}

function Cell({ value }: { readonly value: JsonValue }) {
  if (typeof value === 'string') return <LongText text={value} glance={CELL_GLANCE} />
  const file = asFile(value)
  if (file !== undefined) return <ShownFile file={file} isSmall />
  if (Array.isArray(value) || isPlainObject(value)) {
    return (
      <code>
        <LongText text={writeJson(value)} glance={CELL_GLANCE} />
      </code>
    )
  }
  return <Scalar value={value} />
}
