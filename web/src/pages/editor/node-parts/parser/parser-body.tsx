import { useId, useMemo } from 'react'
import type { ChoiceField } from '../../../../../../src/flows/component/component.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { previewParser } from '../../../../editor/template/preview.ts'
import { fieldValue } from '../../fields/field-value.ts'
import { NodeForm } from '../../fields/node-form.tsx'
import type { NodePartProps } from '../../node-part.ts'
import templateClasses from '../template/template-field.module.css'
import { PreviewOrigin, PreviewText } from '../template/template-preview.tsx'
import { useTemplateSample } from '../template/use-template-sample.ts'
import classes from './parser-body.module.css'

/** Data in, text out: how it is done, and what comes of it. */
export function ParserBody({ node, component, fields, isReadOnly, setField }: NodePartProps) {
  const { mode: modeField } = component.fields
  const mode = modeField === undefined ? 'Parser' : fieldValue(node, 'mode', modeField)
  return (
    <div className={classes.body}>
      {modeField?.kind === 'choice' && (
        <ModeSwitch
          field={modeField}
          value={String(mode)}
          isReadOnly={isReadOnly}
          onChange={(next) => setField('mode', next)}
        />
      )}
      {mode === 'Stringify' ? (
        <StringifyPreview node={node} />
      ) : (
        <NodeForm node={node} fields={fields.filter(([name]) => name !== 'mode')} />
      )}
    </div>
  )
}

interface ModeSwitchProps {
  readonly field: ChoiceField
  readonly value: string
  readonly isReadOnly: boolean
  readonly onChange: (mode: string) => void
}

function ModeSwitch({ field, value, isReadOnly, onChange }: ModeSwitchProps) {
  const name = useId()
  return (
    <fieldset className={`${classes.modes} nodrag`} disabled={isReadOnly} title={field.help}>
      <legend className="visually-hidden">{field.title}</legend>
      {field.choices.map((choice) => (
        <label key={choice} className={classes.mode}>
          <input
            type="radio"
            name={name}
            value={choice}
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
          <span>{choice}</span>
        </label>
      ))}
    </fieldset>
  )
}

function StringifyPreview({ node }: Pick<NodePartProps, 'node'>) {
  const sample = useTemplateSample({ node: node.id, field: 'template', isAsking: false })
  const { data } = sample
  const preview = useMemo(() => (data === undefined ? undefined : previewParser(STRINGIFY, data)), [data])
  return (
    <div className={templateClasses.preview} data-small data-code>
      <div className={templateClasses.previewHead}>
        <span className={templateClasses.previewTitle}>Preview</span>
        <PreviewOrigin sample={sample} />
      </div>
      <PreviewText preview={preview} label={`Preview, ${node.id}`} />
    </div>
  )
}

const STRINGIFY: Readonly<Record<string, JsonValue>> = { mode: 'Stringify' }
