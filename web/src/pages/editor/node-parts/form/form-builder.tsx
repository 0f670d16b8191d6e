import { useEffect, useMemo, useRef, useState } from 'react'
import { readForm } from '../../../../../../src/flows/form/form.ts'
import { fieldOf } from '../../../../../../src/flows/form/form-fields.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { IconPlus } from '../../../../design/icons/page-icons.ts'
import {
  addRow,
  duplicateRow,
  type FormRow,
  formRows,
  moveRow,
  placeAfterMove,
  withLabel
} from '../../../../editor/form/form-rows.ts'
import { useEditor } from '../../editor-context.ts'
import { fieldValue } from '../../fields/field-value.ts'
import fieldClasses from '../../fields/fields.module.css'
import type { FieldPartProps } from '../../node-part.ts'
import classes from './form-builder.module.css'
import { FormPreview } from './form-preview.tsx'
import { FormRowView } from './form-row.tsx'
import { useRowDrag } from './use-row-drag.ts'

/** The fields of a form, one row each, and below them the form as it will be. */
export function FormBuilder(props: FieldPartProps) {
  const { onChange, isReadOnly, labelId, faultList } = props
  const rows = formRows(props.value) ?? []
  const [open, setOpen] = useState<number | undefined>()
  const [told, setTold] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const focusGrip = useFocusedGrip(list)
  const write = (next: readonly FormRow[]) => onChange(next as unknown as JsonValue)
  const move = (from: number, to: number) => {
    if (from === to) return
    write(moveRow(rows, from, to))
    setOpen(open === undefined ? undefined : placeAfterMove(open, from, to))
    setTold(`${fieldOf(rows[from]).label || 'The field'} is now ${to + 1} of ${rows.length}`)
  }
  const drag = useRowDrag(list, move)
  return (
    <div className={classes.builder}>
      <ol className={classes.rows} aria-labelledby={labelId} ref={list}>
        {rows.map((row, at) => (
          <FormRowView
            // Nothing but its place tells one row from another while its name is written.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={at}
            row={row}
            at={at}
            count={rows.length}
            isOpen={open === at}
            isReadOnly={isReadOnly}
            isDragged={drag.from === at}
            isOver={drag.from !== undefined && drag.to === at && drag.from !== at}
            onToggle={() => setOpen(open === at ? undefined : at)}
            onChange={(changed) => write(rows.with(at, changed))}
            onLabel={(label) => write(withLabel(rows, at, label))}
            onMove={(to) => {
              move(at, to)
              focusGrip(to)
            }}
            onGrab={(event) => drag.grab(event, at)}
            onDuplicate={() => {
              write(duplicateRow(rows, at))
              setOpen(at + 1)
            }}
            onRemove={() => {
              write(rows.toSpliced(at, 1))
              setOpen(undefined)
              setTold(`${fieldOf(row).label || 'The field'} was removed`)
              focusGrip(Math.min(at, rows.length - 2))
            }}
          />
        ))}
      </ol>
      <span className="visually-hidden" role="status">
        {told}
      </span>
      {!isReadOnly && (
        <button
          type="button"
          className={`${fieldClasses.add} nodrag`}
          onClick={() => {
            write(addRow(rows))
            setOpen(rows.length)
          }}
        >
          <IconPlus size={15} aria-hidden />
          Add field
        </button>
      )}
      {faultList}
      <Preview {...props} />
    </div>
  )
}

/** Rows that move are drawn anew: whoever moved one by its grip keeps it. */
function useFocusedGrip(list: React.RefObject<HTMLOListElement | null>): (at: number) => void {
  const [wanted, setWanted] = useState<{ readonly at: number } | undefined>()
  useEffect(() => {
    if (wanted !== undefined) list.current?.querySelector<HTMLElement>(`[data-grip="${wanted.at}"]`)?.focus()
  }, [wanted, list])
  return (at) => setWanted({ at })
}

const SHOWN = ['title', 'description', 'button', 'thanks', 'picture', 'accent'] as const

function Preview({ node, value }: FieldPartProps) {
  const fields = useEditor().component(node.type)?.fields
  const form = useMemo(() => {
    const said = SHOWN.flatMap((name) => {
      const field = fields?.[name]
      return field === undefined ? [] : [[name, fieldValue(node, name, field)] as const]
    })
    return readForm({ ...Object.fromEntries(said), fields: value })
  }, [fields, node, value])
  return <FormPreview form={form} />
}
