import { useState } from 'react'
import type { ConnectionField as Field } from '../../../../../src/flows/component/component.ts'
import { readsVariables } from '../../../../../src/flows/component/context-variables.ts'
import { useMayAdminister } from '../../../connection-forms/use-administered.ts'
import { IconEdit, IconKeyboard, IconListDetails, IconPlus } from '../../../design/icons/page-icons.ts'
import type { Around } from '../../../editor/connection-lookup/connection-standing.ts'
import { useDrawnFlow } from '../editor-context.ts'
import fields from '../fields/fields.module.css'
import type { FieldPartProps } from '../node-part.ts'
import { ConnectionNote } from './connection-note.tsx'
import { useMakeConnection } from './make-connection.tsx'
import { useAround } from './use-around.ts'
import { useChangeConnection } from './use-change-connection.ts'

/** Chooses a connection by its name, and says which one that is: the context of the flow decides. */
export function ConnectionField(props: FieldPartProps) {
  const field = props.field as Field
  const name = typeof props.value === 'string' ? props.value : ''
  const around = useAround()
  const noteId = `${props.labelId}-standing`
  const [isTyping, setTyping] = useState(false)
  const isTyped = isTyping || readsVariables(name)
  const shared = {
    'aria-labelledby': props.labelId,
    'aria-describedby': `${props.describedBy} ${noteId}`.trim(),
    ...(props.faults.length === 0 ? {} : { 'aria-invalid': true }),
    className: `${fields.control} nodrag`,
    value: name
  }
  return (
    <>
      <div className={fields.beside}>
        {isTyped ? (
          <input
            {...shared}
            type="text"
            placeholder="Name of a connection"
            spellCheck={false}
            autoComplete="off"
            readOnly={props.isReadOnly}
            // biome-ignore lint/a11y/noAutofocus: whoever chose to type wants to type.
            autoFocus={isTyping}
            onChange={(event) => props.onChange(event.target.value)}
          />
        ) : (
          <select
            {...shared}
            disabled={props.isReadOnly}
            onChange={(event) => props.onChange(event.target.value)}
          >
            <Choices field={field} chosen={name} around={around} />
          </select>
        )}
        {!props.isReadOnly && (
          <Tools
            name={name}
            kinds={field.kinds}
            seen={around?.seen.find((one) => one.name === name)}
            isTyped={isTyped}
            onType={setTyping}
            onChange={props.onChange}
          />
        )}
      </div>
      {props.faultList}
      <ConnectionNote
        id={noteId}
        use={{ node: props.node.id, field: props.name, name, kinds: field.kinds }}
        around={around}
      />
    </>
  )
}

interface ChoicesProps {
  readonly field: Field
  readonly chosen: string
  readonly around: Around | undefined
}

function Choices({ field, chosen, around }: ChoicesProps) {
  const fitting = (around?.seen ?? []).filter(({ kind }) => field.kinds.includes(kind))
  const isOffered = chosen === '' || fitting.some(({ name }) => name === chosen)
  return (
    <>
      <option value="">{field.optional === true ? 'None' : 'Choose a connection'}</option>
      {/* A value that is not among the choices is shown, so that it can be seen and mended. */}
      {!isOffered && <option value={chosen}>{chosen}</option>}
      {fitting.map(({ name, kind }) => (
        <option key={name} value={name}>
          {field.kinds.length > 1 ? `${name} (${kind})` : name}
        </option>
      ))}
    </>
  )
}

interface ToolsProps extends Pick<FieldPartProps, 'onChange'> {
  readonly name: string
  readonly kinds: readonly string[]
  /** The connection that is meant, where there is one. */
  readonly seen: Around['seen'][number] | undefined
  readonly isTyped: boolean
  readonly onType: (isTyping: boolean) => void
}

function Tools({ name, kinds, seen, isTyped, onType, onChange }: ToolsProps) {
  const context = useDrawnFlow((flow) => flow.context)
  const mayMake = useMayAdminister()(context)
  const make = useMakeConnection()
  const mayAdminister = useMayAdminister()
  const change = useChangeConnection()
  const [label, Picture] = isTyped
    ? (['Choose from the list', IconListDetails] as const)
    : (['Type a name', IconKeyboard] as const)
  const toggle = () => {
    // A name that reads variables cannot be in the list.
    if (isTyped && readsVariables(name)) onChange('')
    onType(!isTyped)
  }
  return (
    <>
      {seen !== undefined && mayAdminister(seen.context) && (
        <button
          type="button"
          className={`${fields.tool} nodrag`}
          aria-label={`Change ${seen.name}`}
          title={`Change and test ${seen.name}`}
          onClick={() => void change(seen)}
        >
          <IconEdit size={15} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={`${fields.tool} nodrag`}
        aria-label={label}
        title={label}
        onClick={toggle}
      >
        <Picture size={15} aria-hidden />
      </button>
      {mayMake && (
        <button
          type="button"
          className={`${fields.tool} nodrag`}
          aria-label="New connection"
          title="New connection"
          onClick={() => make({ context, kinds }, (made) => onChange(made.name))}
        >
          <IconPlus size={15} aria-hidden />
        </button>
      )}
    </>
  )
}
