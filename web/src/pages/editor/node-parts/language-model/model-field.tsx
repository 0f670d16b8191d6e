import { useId, useRef, useState } from 'react'
import { usedName } from '../../../../../../src/flows/validate/connection-uses.ts'
import { useModels } from '../../../../api/models.ts'
import { nextPlace, offeredNames } from '../../../../editor/models/offered-names.ts'
import { useDrawnFlow } from '../../editor-context.ts'
import fields from '../../fields/fields.module.css'
import type { FieldPartProps } from '../../node-part.ts'
import { useContextScope } from '../use-context-scope.ts'
import { ModelList } from './model-list.tsx'

const NO_NAMES: readonly string[] = []

/** The model at the connection that another field names. */
export function ModelField(props: FieldPartProps) {
  return <ModelInput {...props} connectionField="connection" />
}

export function FallbackModelField(props: FieldPartProps) {
  return <ModelInput {...props} connectionField="fallback_connection" />
}

/** A name that is typed, or chosen from those that the provider lists; these are asked for when the field is entered. */
function ModelInput(props: FieldPartProps & { readonly connectionField: string }) {
  const { value, onChange, isReadOnly, field, faults } = props
  const name = String(value)
  const [isOpen, setOpen] = useState(false)
  /** Undefined until something is typed: then all are shown, also beside the one that is chosen. */
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState<number>()
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const models = useOffered(props, isOpen)
  const names = offeredNames(models.data ?? NO_NAMES, typed)
  const close = () => {
    setOpen(false)
    setTyped(undefined)
    setActive(undefined)
  }
  const choose = (chosen: string) => {
    onChange(chosen)
    close()
  }
  const move = (by: 1 | -1) => {
    setOpen(true)
    setActive(nextPlace(active, by, names.length))
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const chosen = active === undefined ? undefined : names[active]
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && isOpen && chosen !== undefined) choose(chosen)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
    // Escape closes the list, and nothing around it.
    event.stopPropagation()
  }
  const isShown = isOpen && models.isAsked
  return (
    <>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={listId}
        {...(isShown && active !== undefined && { 'aria-activedescendant': `${listId}-${active}` })}
        aria-labelledby={props.labelId}
        {...(props.describedBy !== '' && { 'aria-describedby': props.describedBy })}
        {...(faults.length > 0 && { 'aria-invalid': true })}
        className={`${fields.control} nodrag`}
        value={name}
        placeholder={field.placeholder}
        readOnly={isReadOnly}
        spellCheck={false}
        autoComplete="off"
        onFocus={() => setOpen(!isReadOnly)}
        onClick={() => setOpen(!isReadOnly)}
        onBlur={close}
        onKeyDown={isReadOnly ? undefined : onKeyDown}
        onChange={({ target }) => {
          setOpen(true)
          setTyped(target.value)
          setActive(undefined)
          onChange(target.value)
        }}
      />
      {props.faultList}
      {isShown && (
        <ModelList
          id={listId}
          label={field.title}
          under={input}
          names={names}
          chosen={name}
          active={active}
          isAsking={models.isFetching}
          error={models.error}
          onChoose={choose}
        />
      )}
    </>
  )
}

function useOffered(
  { node, connectionField }: FieldPartProps & { readonly connectionField: string },
  isOpen: boolean
) {
  const context = useDrawnFlow((flow) => flow.context)
  const { variables } = useContextScope()
  const named = node.fields[connectionField]
  const connection =
    typeof named === 'string' ? usedName({ name: named, field: connectionField }, variables) : ''
  const { data, error, isFetching } = useModels(context, connection, { enabled: isOpen })
  return { data, error, isFetching, isAsked: connection !== '' }
}
