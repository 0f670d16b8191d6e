import { useState } from 'react'
import { keyValues } from '../../../../editor/rows/key-values.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { BodyField } from '../api-request/body-field.tsx'
import classes from './key-values.module.css'
import { KeyValuesEditor } from './key-values-editor.tsx'

/** How the rows of a field are. */
interface Rows {
  /** What one of them is called. */
  readonly one: string
  /** A name may come again: its values are a list. */
  readonly repeats?: boolean
  /** Values are what they are, and no templates. */
  readonly isPlain?: boolean
}

export const QueryField = rowsField({ one: 'parameter', repeats: true })
export const HeadersField = rowsField({ one: 'header', repeats: true })
export const ParametersField = rowsField({ one: 'parameter' })
export const MembersField = rowsField({ one: 'member' })
export const SelectorsField = rowsField({ one: 'value', isPlain: true })

/** An object of templates, row by row; as JSON, or as a text where the field takes one, too. */
function rowsField(rows: Rows) {
  return function KeyValuesField(props: FieldPartProps) {
    const { value } = props
    const members = keyValues(value, rows.repeats === true)
    const [asked, setAsked] = useState<'rows' | 'text'>()
    const isRows = members !== undefined && (asked ?? 'rows') === 'rows'
    return (
      <div className={classes.field}>
        <div className={classes.views}>
          <button
            type="button"
            className={`${classes.view} nodrag`}
            aria-pressed={isRows}
            disabled={members === undefined}
            title={members === undefined ? 'It is no object, so it has no rows.' : undefined}
            onClick={() => setAsked('rows')}
          >
            Rows
          </button>
          <button
            type="button"
            className={`${classes.view} nodrag`}
            aria-pressed={!isRows}
            onClick={() => setAsked('text')}
          >
            {rows.one === 'member' ? 'Text or JSON' : 'JSON'}
          </button>
        </div>
        {isRows ? (
          <>
            <KeyValuesEditor {...props} {...rows} members={members} />
            {props.faultList}
          </>
        ) : (
          <BodyField {...props} />
        )}
      </div>
    )
  }
}
