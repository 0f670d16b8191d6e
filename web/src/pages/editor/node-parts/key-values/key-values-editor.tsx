import { useRef, useState } from 'react'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { IconPlus } from '../../../../design/icons/page-icons.ts'
import { equalJson } from '../../../../editor/graph/equal-json.ts'
import { type KeyValue, objectOf, withPasted } from '../../../../editor/rows/key-values.ts'
import { readPasted } from '../../../../editor/rows/read-pasted.ts'
import fields from '../../fields/fields.module.css'
import type { FieldPartProps } from '../../node-part.ts'
import { useTemplateSample } from '../template/use-template-sample.ts'
import { useDeclared } from '../use-declared.ts'
import { useTemplateVariables } from '../use-template-variables.ts'
import { KeyValueRow } from './key-value-row.tsx'
import classes from './key-values.module.css'

interface KeyValuesEditorProps extends FieldPartProps {
  readonly members: readonly KeyValue[]
  readonly one: string
  readonly repeats?: boolean
  readonly isPlain?: boolean
}

/** Rows that have no name yet, or one that another has, are kept beside the object that the others make. */
export function KeyValuesEditor(props: KeyValuesEditorProps) {
  const { node, name, value, onChange, isReadOnly, one, repeats = false } = props
  const room = useRef<HTMLFieldSetElement>(null)
  const [draft, setDraft] = useState<
    { readonly of: JsonValue; readonly rows: readonly KeyValue[] } | undefined
  >()
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const [isAsking, setAsking] = useState(false)
  const sample = useTemplateSample({ node: node.id, field: name, isAsking })
  const variables = useTemplateVariables(node.id)
  const scope = { data: sample.data, variables, declared: useDeclared(node.id) }
  const rows = draft !== undefined && equalJson(draft.of, value) ? draft.rows : props.members
  const change = (next: readonly KeyValue[]) => {
    const object = objectOf(next, repeats)
    setDraft({ of: object, rows: next })
    if (!equalJson(object, value)) onChange(object)
  }
  const focusOn = (at: number) =>
    requestAnimationFrame(() =>
      room.current?.querySelectorAll<HTMLInputElement>(':scope > [data-row] > input')[at]?.focus()
    )
  const paste = (at: number, text: string): boolean => {
    const pasted = readPasted(text)
    if (pasted === undefined) return false
    setLeftOut(pasted.leftOut)
    change(withPasted(rows, at, pasted.rows, repeats))
    return true
  }
  return (
    <fieldset
      ref={room}
      className={classes.rows}
      aria-labelledby={props.labelId}
      onFocus={() => setAsking(true)}
    >
      {rows.map((row, at) => (
        <KeyValueRow
          // Nothing but its place tells one row from another.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          row={row}
          label={`${one} ${at + 1}`}
          isPlain={props.isPlain === true}
          isHeader={one === 'header'}
          scope={scope}
          isReadOnly={isReadOnly}
          onChange={(next) => change(rows.with(at, next))}
          onRemove={() => change(rows.toSpliced(at, 1))}
          onPaste={(text) => paste(at, text)}
        />
      ))}
      {leftOut.length > 0 && (
        <p className={classes.secret} role="status">
          {leftOut.join(', ')} {leftOut.length === 1 ? 'was' : 'were'} left out, as it looks like a secret:
          make a connection, which keeps it sealed and sends it.
        </p>
      )}
      {!isReadOnly && (
        <button
          type="button"
          className={`${fields.add} nodrag`}
          onClick={() => {
            change([...rows, { key: '', value: '' }])
            focusOn(rows.length)
          }}
          onPaste={(event) => {
            if (paste(rows.length, event.clipboardData.getData('text/plain'))) event.preventDefault()
          }}
        >
          <IconPlus size={15} aria-hidden />
          Add {one}
        </button>
      )}
    </fieldset>
  )
}
