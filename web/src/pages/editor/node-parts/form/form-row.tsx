import { useId } from 'react'
import { FORM_FIELD_TYPES, fieldOf } from '../../../../../../src/flows/form/form-fields.ts'
import { IconCopyPlus, IconGripVertical } from '../../../../design/icons/editor-icons.ts'
import { IconChevronDown, IconChevronRight, IconTrash } from '../../../../design/icons/page-icons.ts'
import type { FormRow } from '../../../../editor/form/form-rows.ts'
import fieldClasses from '../../fields/fields.module.css'
import classes from './form-builder.module.css'

interface FormRowProps {
  readonly row: FormRow
  readonly at: number
  readonly count: number
  readonly isOpen: boolean
  readonly isReadOnly: boolean
  readonly isDragged: boolean
  /** Where the dragged one would be put. */
  readonly isOver: boolean
  readonly onToggle: () => void
  readonly onChange: (row: FormRow) => void
  readonly onLabel: (label: string) => void
  readonly onMove: (to: number) => void
  readonly onGrab: (event: React.PointerEvent) => void
  readonly onDuplicate: () => void
  readonly onRemove: () => void
}

/** One field of the form: a line that says what it is, and what can be set of it once it is opened. */
export function FormRowView(props: FormRowProps) {
  const { row, at, count, isOpen, isReadOnly, onMove } = props
  const { label, type, required } = fieldOf(row)
  const named = label === '' ? `field ${at + 1}` : label
  const tool = `${fieldClasses.tool} nodrag`
  const onKeyDown = (event: React.KeyboardEvent) => {
    const to = at + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0)
    if (to === at) return
    event.preventDefault()
    event.stopPropagation()
    if (to >= 0 && to < count) onMove(to)
  }
  return (
    <li
      className={classes.row}
      data-dragged={props.isDragged || undefined}
      data-over={props.isOver || undefined}
      data-form-row={at}
    >
      <div className={classes.line}>
        {!isReadOnly && (
          <button
            type="button"
            className={`${tool} ${classes.grip}`}
            aria-label={`Move ${named}`}
            title="Drag, or press the arrows up and down"
            data-grip={at}
            onKeyDown={onKeyDown}
            onPointerDown={props.onGrab}
          >
            <IconGripVertical size={15} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className={`${classes.name} nodrag`}
          aria-expanded={isOpen}
          onClick={props.onToggle}
        >
          {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          <span className={classes.label}>{label === '' ? 'No name yet' : label}</span>
          <span className={classes.kind}>
            {type}
            {required ? ', required' : ''}
          </span>
        </button>
        {!isReadOnly && (
          <>
            <button
              type="button"
              className={tool}
              aria-label={`Duplicate ${named}`}
              onClick={props.onDuplicate}
            >
              <IconCopyPlus size={15} aria-hidden />
            </button>
            <button type="button" className={tool} aria-label={`Remove ${named}`} onClick={props.onRemove}>
              <IconTrash size={15} aria-hidden />
            </button>
          </>
        )}
      </div>
      {isOpen && <RowDetails {...props} />}
    </li>
  )
}

function RowDetails({ row, isReadOnly, onChange, onLabel }: FormRowProps) {
  const id = useId()
  const { type, required } = fieldOf(row)
  const text = (key: string) => (typeof row[key] === 'string' ? row[key] : '')
  const choices = Array.isArray(row.choices) ? row.choices.map(String) : []
  const control = `${fieldClasses.control} nodrag`
  return (
    <div className={classes.details}>
      <label htmlFor={`${id}-label`}>Label</label>
      <input
        id={`${id}-label`}
        className={control}
        value={text('label')}
        readOnly={isReadOnly}
        autoComplete="off"
        onChange={(event) => onLabel(event.target.value)}
      />
      <label htmlFor={`${id}-name`}>Name</label>
      <input
        id={`${id}-name`}
        className={control}
        data-code
        value={text('name')}
        readOnly={isReadOnly}
        autoComplete="off"
        spellCheck={false}
        placeholder="The key of the answer"
        onChange={(event) => onChange({ ...row, name: event.target.value })}
      />
      <label htmlFor={`${id}-type`}>Type</label>
      <select
        id={`${id}-type`}
        className={control}
        value={type}
        disabled={isReadOnly}
        onChange={(event) => onChange({ ...row, type: event.target.value })}
      >
        {FORM_FIELD_TYPES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {type === 'choice' && (
        <>
          <label htmlFor={`${id}-choices`}>Choices</label>
          <textarea
            id={`${id}-choices`}
            className={control}
            rows={Math.min(Math.max(choices.length + 1, 3), 8)}
            placeholder="One on each line"
            value={choices.join('\n')}
            readOnly={isReadOnly}
            onChange={(event) => onChange({ ...row, choices: event.target.value.split('\n') })}
            onBlur={() => {
              const kept = choices.filter((choice) => choice.trim() !== '')
              if (kept.length < choices.length) onChange({ ...row, choices: kept })
            }}
          />
        </>
      )}
      <label htmlFor={`${id}-help`}>Help</label>
      <input
        id={`${id}-help`}
        className={control}
        value={text('help')}
        readOnly={isReadOnly}
        autoComplete="off"
        placeholder="Stands below the label"
        onChange={(event) => onChange({ ...row, help: event.target.value })}
      />
      <label htmlFor={`${id}-required`}>{type === 'checkbox' ? 'Must be ticked' : 'Required'}</label>
      <input
        id={`${id}-required`}
        type="checkbox"
        className={`${fieldClasses.switch} nodrag`}
        checked={required}
        disabled={isReadOnly}
        onChange={(event) => onChange({ ...row, required: event.target.checked })}
      />
    </div>
  )
}
