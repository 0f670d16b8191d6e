import { useId, useMemo } from 'react'
import type { ChoiceField } from '../../../../../../src/flows/component.ts'
import type { JsonValue } from '../../../../../../src/flows/exact-json.ts'
import { IconEye } from '../../../../design/icons/page-icons.ts'
import { previewParser } from '../../../../editor/template/preview.ts'
import { useEditor } from '../../editor-context.ts'
import { fieldValue } from '../../fields/field-value.ts'
import { NodeField } from '../../fields/node-field.tsx'
import type { NodePartProps } from '../../node-part.ts'
import { showOutput } from '../output/show-output.tsx'
import templateClasses from '../template/template-field.module.css'
import { PreviewOrigin, PreviewText } from '../template/template-preview.tsx'
import { useTemplateSample } from '../template/use-template-sample.ts'
import classes from './parser-body.module.css'

/** Data in, text out: how it is done, what comes of it, and what came of it last. */
export function ParserBody({ node, component, isReadOnly, setField }: NodePartProps) {
  const editor = useEditor()
  const { mode: modeField, ...fields } = component.fields
  const mode = modeField === undefined ? 'Parser' : fieldValue(node, 'mode', modeField)
  const shown = Object.entries(fields).filter(
    ([name, field]) => field.hidden !== true || node.shown_fields?.includes(name)
  )
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
        shown.map(([name, field]) => <NodeField key={name} node={node} name={name} field={field} />)
      )}
      <button type="button" className={`${classes.inspect} nodrag`} onClick={() => showOutput(editor, node)}>
        <IconEye size={15} aria-hidden /> Inspect output
      </button>
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
