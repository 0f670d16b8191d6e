import { OPERATORS, type Operator } from '../../../../../../src/components/expression/compare-words.ts'
import type { ConditionRow } from '../../../../../../src/components/expression/conditions/condition.ts'
import { withOperator } from '../../../../editor/conditions/change-group.ts'
import fields from '../../fields/fields.module.css'
import classes from './conditions.module.css'
import { OperandInput, PathInput } from './operand-input.tsx'

interface RowViewProps {
  readonly row: ConditionRow
  readonly label: string
  readonly onChange: (row: ConditionRow) => void
  readonly isReadOnly: boolean
}

/** A value, an operator, and what the value is compared with. */
export function RowView({ row, label, onChange, isReadOnly }: RowViewProps) {
  const { left, operator, right } = row
  return (
    <fieldset className={classes.row} aria-label={label}>
      <PathInput
        label={`Value of ${label}`}
        operand={left}
        onChange={(operand) => onChange({ kind: 'row', left: operand, operator, right })}
        isReadOnly={isReadOnly}
      />
      <select
        className={`${fields.control} nodrag`}
        aria-label={`Operator of ${label}`}
        value={operator}
        disabled={isReadOnly}
        onChange={(event) => onChange(withOperator(row, event.target.value as Operator))}
      >
        {OPERATORS.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {right !== undefined && (
        <OperandInput
          label={label}
          operand={right}
          onChange={(operand) => onChange({ kind: 'row', left, operator, right: operand })}
          isReadOnly={isReadOnly}
        />
      )}
    </fieldset>
  )
}
