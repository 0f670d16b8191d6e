import { useId } from 'react'
import { writeJson } from '../../../../../../src/flows/json/exact-json.ts'
import { IconX } from '../../../../design/icons/page-icons.ts'
import { isSecretName } from '../../../../editor/curl/curl-sign-in.ts'
import { type KeyValue, typedValue } from '../../../../editor/rows/key-values.ts'
import fields from '../../fields/fields.module.css'
import { TemplateInput } from '../template/template-input.tsx'
import type { TemplateScope } from '../template/template-language.ts'
import classes from './key-values.module.css'

interface KeyValueRowProps {
  readonly row: KeyValue
  readonly label: string
  readonly isPlain: boolean
  readonly isHeader: boolean
  readonly scope: TemplateScope
  readonly isReadOnly: boolean
  readonly onChange: (row: KeyValue) => void
  readonly onRemove: () => void
  /** Whether the text filled rows. */
  readonly onPaste: (text: string) => boolean
}

/** A name, and the template that its value is. */
export function KeyValueRow(props: KeyValueRowProps) {
  const { row, label, isReadOnly, onChange } = props
  const { key, value } = row
  return (
    <div data-row className={classes.row}>
      <input
        className={`${fields.control} nodrag`}
        type="text"
        aria-label={`Name of ${label}`}
        data-code
        value={key}
        placeholder="name"
        readOnly={isReadOnly}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ key: event.target.value, value })}
        onPaste={(event) => {
          if (!isReadOnly && props.onPaste(event.clipboardData.getData('text/plain'))) event.preventDefault()
        }}
      />
      <ValueInput {...props} />
      {!isReadOnly && (
        <span className={classes.tools}>
          <button
            type="button"
            className={`${fields.tool} nodrag`}
            aria-label={`Remove ${label}`}
            onClick={props.onRemove}
          >
            <IconX size={15} aria-hidden />
          </button>
        </span>
      )}
      {props.isHeader && isSecretName(key) && value !== '' && !String(value).includes('{') && (
        <p className={classes.secret} role="status">
          A flow is no place for a secret: make a connection, which keeps it sealed and sends it.
        </p>
      )}
    </div>
  )
}

function ValueInput({ row, label, isPlain, scope, isReadOnly, onChange }: KeyValueRowProps) {
  const { key, value } = row
  const id = useId()
  if (!isPlain && typeof value === 'string')
    return (
      <div className={classes.value}>
        <span id={id} hidden>
          Value of {label}
        </span>
        <TemplateInput
          value={value}
          label={`Value of ${label}`}
          labelId={id}
          placeholder="text with {keys}"
          scope={scope}
          isReadOnly={isReadOnly}
          onChange={(typed) => onChange({ key, value: typed })}
        />
      </div>
    )
  const text = typeof value === 'string' ? value : writeJson(value)
  return (
    <input
      className={`${fields.control} nodrag`}
      type="text"
      aria-label={`Value of ${label}`}
      data-code
      value={text}
      readOnly={isReadOnly}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) =>
        onChange({ key, value: isPlain ? target.value : typedValue(value, target.value) })
      }
    />
  )
}
