import { useMemo } from 'react'
import type { FileValue } from '../../../src/flows/file-value.ts'
import { withSignsShown } from '../../../src/flows/template/signs-shown.ts'
import type { FileBytes } from '../api/files.ts'
import { byteSize } from '../design/byte-size.ts'
import { LongText } from '../design/value-view/long-text.tsx'
import classes from './file-view.module.css'
import { tableBeginning } from './table-beginning.ts'

interface TextOfFileProps {
  readonly file: FileValue
  readonly data: FileBytes
}

const GLANCE = 2_000

/** The beginning of a text, as it is: markup and scripts are texts here. */
export function TextOfFile({ file, data }: TextOfFileProps) {
  const text = useMemo(() => textIn(data), [data])
  if (text === undefined) return <p className={classes.note}>It cannot be shown: it is not text.</p>
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: nothing is filled in here, and as regions several files were too many landmarks. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <div role="group" className={classes.text} tabIndex={0} aria-label={`Beginning of ${file.filename}`}>
        <LongText text={text} glance={GLANCE} />
      </div>
      {data.bytes.length < data.size && (
        <p className={classes.note}>
          The first {byteSize(data.bytes.length)} of {byteSize(data.size)}.
        </p>
      )}
    </>
  )
}

/** The first rows of a CSV; as text where it is none. */
export function TableOfFile({ file, data }: TextOfFileProps) {
  const table = useMemo(() => {
    const text = textIn(data)
    return text === undefined ? undefined : tableBeginning(text, data.bytes.length === data.size)
  }, [data])
  if (table === undefined) return <TextOfFile file={file} data={data} />
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: nothing is filled in here, and as regions several files were too many landmarks. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <div role="group" className={classes.rows} tabIndex={0} aria-label={`First rows of ${file.filename}`}>
        <table>
          <thead>
            <tr>
              {table.header.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a file never changes.
                <th key={at} scope="col">
                  {cut(cell)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a file never changes.
              <tr key={at}>
                {row.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a file never changes.
                  <td key={column}>{cut(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.isCut && <p className={classes.note}>Its beginning: download it to see the rest.</p>}
    </>
  )
}

const CELL = 200

function cut(cell: string): string {
  return withSignsShown(cell.length > CELL ? `${cell.slice(0, CELL)}…` : cell)
}

/** Undefined where the bytes are none. A character that was cut through at the end is not there. */
function textIn({ bytes, size }: FileBytes): string | undefined {
  const text = new TextDecoder().decode(bytes, { stream: bytes.length < size })
  return text.includes('\0') ? undefined : text
}
