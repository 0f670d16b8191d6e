import type { WrittenCondition } from '../../../../../../src/components/expression/conditions/condition.ts'
import fields from '../../fields/fields.module.css'
import classes from './conditions.module.css'

interface WrittenViewProps {
  readonly written: WrittenCondition
  readonly label: string
  readonly onChange: (written: WrittenCondition) => void
  readonly isReadOnly: boolean
}

/** A part that no row can show, in CEL. */
export function WrittenView({ written, label, onChange, isReadOnly }: WrittenViewProps) {
  return (
    <div className={classes.written}>
      <textarea
        className={`${fields.control} nodrag nowheel`}
        data-code
        aria-label={`Expression of ${label}`}
        rows={Math.min(6, written.text.split('\n').length)}
        value={written.text}
        readOnly={isReadOnly}
        spellCheck={false}
        onChange={(event) => onChange({ ...written, text: event.target.value })}
      />
      <p className={classes.why}>Kept as an expression. {written.why}</p>
    </div>
  )
}
