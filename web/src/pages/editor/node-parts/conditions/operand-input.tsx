import { use, useState } from 'react'
import type { Operand } from '../../../../../../src/components/expression/conditions/condition.ts'
import { asKind, fullTime, type OperandKind } from '../../../../editor/conditions/change-group.ts'
import { pathOperand, pathOperandText } from '../../../../editor/conditions/path-operand.ts'
import fields from '../../fields/fields.module.css'
import classes from './conditions.module.css'
import { ConditionsContext } from './conditions-context.ts'

interface OperandProps {
  readonly label: string
  readonly operand: Operand
  readonly onChange: (operand: Operand) => void
  readonly isReadOnly: boolean
}

const KINDS: Readonly<Record<OperandKind, string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'True/false',
  time: 'Time',
  path: 'Value'
}

/** What a value is compared with: a constant of some kind, or another value. */
export function OperandInput(props: OperandProps) {
  const { label, operand, onChange, isReadOnly } = props
  const { roots } = use(ConditionsContext)
  return (
    <div className={classes.operand}>
      <select
        className={`${fields.control} nodrag`}
        aria-label={`What ${label} is compared with`}
        value={operand.kind}
        disabled={isReadOnly}
        onChange={(event) => onChange(asKind(operand, event.target.value as OperandKind, roots, pathOperand))}
      >
        {Object.entries(KINDS).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
      <ValueInput {...props} label={`${KINDS[operand.kind]} of ${label} to compare with`} />
    </div>
  )
}

function ValueInput(props: OperandProps) {
  const { operand, onChange, label, isReadOnly } = props
  switch (operand.kind) {
    case 'path':
      return <PathInput {...props} />
    case 'boolean':
      return (
        <select
          className={`${fields.control} nodrag`}
          aria-label={label}
          value={String(operand.is)}
          disabled={isReadOnly}
          onChange={(event) => onChange({ kind: 'boolean', is: event.target.value === 'true' })}
        >
          <option>true</option>
          <option>false</option>
        </select>
      )
    case 'number':
      return <Typed {...props} text={String(operand.number)} read={numberOf} hint="0" />
    case 'time':
      return <Typed {...props} text={operand.text} read={timeOf} hint="2026-11-17T09:00:00Z" />
    case 'text':
      return (
        <Typed
          {...props}
          text={operand.text}
          read={(text): Operand => ({ kind: 'text', text })}
          hint="text"
        />
      )
  }
}

function numberOf(typed: string): Operand | undefined {
  const number = typed.trim() === '' ? Number.NaN : Number(typed)
  return Number.isFinite(number) ? { kind: 'number', number } : undefined
}

function timeOf(typed: string): Operand | undefined {
  const text = fullTime(typed)
  return text === undefined ? undefined : { kind: 'time', text }
}

/** A path, as templates write it, with what came last to choose from. */
export function PathInput(props: OperandProps) {
  const { list, roots } = use(ConditionsContext)
  const { operand } = props
  return (
    <Typed
      {...props}
      text={operand.kind === 'path' ? (pathOperandText(operand) ?? '') : ''}
      read={(text) => (text === '' ? { kind: 'path', root: '', keys: [] } : pathOperand(text, roots))}
      hint="key"
      list={list}
      isCode
    />
  )
}

interface TypedProps extends OperandProps {
  readonly text: string
  readonly read: (typed: string) => Operand | undefined
  readonly hint: string
  readonly list?: string
  readonly isCode?: boolean
}

/** What is typed means nothing at every key stroke: it is kept until it does. */
function Typed({ text, read, hint, list, isCode, label, onChange, isReadOnly }: TypedProps) {
  const [typed, setTyped] = useState<string | undefined>()
  const isWrong = typed !== undefined && typed !== '' && read(typed) === undefined
  return (
    <input
      className={`${fields.control} nodrag`}
      type="text"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      data-code={isCode || undefined}
      value={typed ?? text}
      placeholder={hint}
      list={list}
      readOnly={isReadOnly}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => {
        setTyped(target.value)
        const operand = read(target.value)
        if (operand !== undefined) onChange(operand)
      }}
      onBlur={() => {
        if (!isWrong) setTyped(undefined)
      }}
    />
  )
}
