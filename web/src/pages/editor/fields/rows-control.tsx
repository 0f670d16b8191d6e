import { useId } from 'react'
import type { RowColumn, RowsField } from '../../../../../src/flows/component/component.ts'
import { wholeRows } from '../../../../../src/flows/component/rows-of-field.ts'
import { IconArrowUp, IconPlus, IconX } from '../../../design/icons/page-icons.ts'
import type { FieldPartProps } from '../node-part.ts'
import fieldClasses from './fields.module.css'
import classes from './rows-control.module.css'
import { suggestionsOf } from './suggestions-of.ts'
import { useFocusAdded } from './use-focus-added.ts'

interface RowsControlProps extends FieldPartProps {
  readonly field: RowsField
}

/** A list of objects: a small table with a row for each, in order. */
export function RowsControl(props: RowsControlProps) {
  const { field, onChange, isReadOnly, labelId } = props
  const { room, added } = useFocusAdded<HTMLFieldSetElement>()
  const rows = wholeRows(field, props.value) as Record<string, string>[]
  const columns = Object.entries(field.columns)
  const one = field.item ?? 'row'
  const id = useId()
  const headOf = (name: string) => `${id}-${name}`
  return (
    <fieldset ref={room} className={fieldClasses.list} aria-labelledby={labelId}>
      {rows.length > 0 && (
        <div className={classes.rows} data-columns={columns.length}>
          <div className={classes.row} aria-hidden>
            {columns.map(([name, { title }]) => (
              <span key={name} id={headOf(name)} className={classes.head}>
                {title}
              </span>
            ))}
          </div>
          {rows.map((row, at) => (
            // Nothing but its place tells one row of a list from another.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <div key={at} className={classes.row} data-row>
              {columns.map(([name, column]) => (
                <Cell
                  key={name}
                  column={column}
                  label={`${column.title} of ${one} ${at + 1}`}
                  value={String(row[name])}
                  suggestions={props.suggestions}
                  isReadOnly={isReadOnly}
                  onChange={(value) => onChange(rows.with(at, { ...row, [name]: value }))}
                />
              ))}
              {!isReadOnly && (
                <span className={classes.tools}>
                  <button
                    type="button"
                    className={`${fieldClasses.tool} nodrag`}
                    aria-label={`Move ${one} ${at + 1} up`}
                    disabled={at === 0}
                    onClick={() => onChange(rows.with(at - 1, row).with(at, rows[at - 1]!))}
                  >
                    <IconArrowUp size={15} aria-hidden />
                  </button>
                  <button
                    type="button"
                    className={`${fieldClasses.tool} nodrag`}
                    aria-label={`Remove ${one} ${at + 1}`}
                    onClick={() => onChange(rows.toSpliced(at, 1))}
                  >
                    <IconX size={15} aria-hidden />
                  </button>
                </span>
              )}
            </div>
          ))}
        </div>
      )}
      {!isReadOnly && rows.length < (field.maxItems ?? Number.POSITIVE_INFINITY) && (
        <button
          type="button"
          className={`${fieldClasses.add} nodrag`}
          onClick={() => {
            added()
            onChange(wholeRows(field, [...rows, {}]))
          }}
        >
          <IconPlus size={15} aria-hidden />
          Add {one}
        </button>
      )}
    </fieldset>
  )
}

interface CellProps {
  readonly column: RowColumn
  readonly label: string
  readonly value: string
  readonly suggestions: string | undefined
  readonly isReadOnly: boolean
  readonly onChange: (value: string) => void
}

function Cell({ column, label, value, suggestions, isReadOnly, onChange }: CellProps) {
  const { choices } = column
  const shared = { className: `${fieldClasses.control} nodrag`, 'aria-label': label, value }
  if (choices === undefined) {
    return (
      <input
        {...shared}
        type="text"
        placeholder={column.placeholder}
        readOnly={isReadOnly}
        spellCheck={false}
        autoComplete="off"
        {...(column.path === true && suggestions !== undefined
          ? { list: suggestionsOf(suggestions, column.input) }
          : {})}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <select {...shared} disabled={isReadOnly} onChange={(event) => onChange(event.target.value)}>
      {!choices.includes(value) && <option value={value}>{value} (not a choice)</option>}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}
