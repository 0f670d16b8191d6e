import { useState } from 'react'
import { FieldControl } from '../../fields/field-control.tsx'
import type { FieldPartProps } from '../../node-part.ts'
import { ConditionBuilder } from './condition-builder.tsx'
import classes from './conditions.module.css'
import { useRowsOf } from './use-rows-of.ts'

/** A condition: rows of value, operator and value, and the expression that they are kept as. */
export function ConditionField(props: FieldPartProps) {
  const [isText, setText] = useState(false)
  const rowsOf = useRowsOf()
  return (
    <div className={classes.field}>
      <div className={classes.views}>
        <ViewButton isChosen={!isText} onClick={() => setText(false)}>
          Rows
        </ViewButton>
        <ViewButton isChosen={isText} onClick={() => setText(true)}>
          Expression
        </ViewButton>
      </div>
      {isText || rowsOf === undefined ? (
        <FieldControl {...props} />
      ) : (
        <ConditionBuilder {...props} rowsOf={rowsOf} />
      )}
    </div>
  )
}

interface ViewButtonProps {
  readonly isChosen: boolean
  readonly onClick: () => void
  readonly children: string
}

function ViewButton({ isChosen, onClick, children }: ViewButtonProps) {
  return (
    <button type="button" className={`${classes.view} nodrag`} aria-pressed={isChosen} onClick={onClick}>
      {children}
    </button>
  )
}
