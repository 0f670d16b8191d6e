import { type ReactNode, useId, useRef, useState } from 'react'
import { nextPlace } from '../../../../editor/models/offered-names.ts'
import fields from '../../fields/fields.module.css'
import type { FieldPartProps } from '../../node-part.ts'
import { NameList } from './name-list.tsx'

export interface OfferedNames {
  readonly names: readonly string[]
  /** Whether there is anybody who could be asked for them. */
  readonly isAsked: boolean
  readonly error: Error | null
  readonly remark: string
  readonly show: (name: string) => ReactNode
}

interface NameInputProps extends FieldPartProps {
  /** What is offered for what was typed; for all while nothing was. */
  readonly useOffered: (props: FieldPartProps, isOpen: boolean, typed: string | undefined) => OfferedNames
}

/** A name that is typed, or chosen from those that are offered; these are asked for when the field is entered. */
export function NameInput({ useOffered, ...props }: NameInputProps) {
  const { value, onChange, isReadOnly, field, faults } = props
  const name = String(value)
  const [isOpen, setOpen] = useState(false)
  /** Undefined until something is typed: then all are shown, also beside the one that is chosen. */
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState<number>()
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const offered = useOffered(props, isOpen, typed)
  const { names } = offered
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
  const isShown = isOpen && offered.isAsked
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
        <NameList
          id={listId}
          label={field.title}
          under={input}
          names={names}
          chosen={name}
          active={active}
          remark={offered.remark}
          isTrouble={offered.error !== null}
          show={offered.show}
          onChoose={choose}
        />
      )}
    </>
  )
}
