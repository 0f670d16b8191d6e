import { use, useId } from 'react'
import type { Fault } from '../../../../../src/errors.ts'
import type { Field } from '../../../../../src/flows/component/component.ts'
import { IconArrowBackUp } from '../../../design/icons/editor-icons.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState, useFieldFaults } from '../editor-context.ts'
import { FieldPartsContext } from '../node-part.ts'
import { FieldControl } from './field-control.tsx'
import { fieldValue, isSet } from './field-value.ts'
import classes from './fields.module.css'
import { useWriting } from './use-writing.ts'

interface NodeFieldProps {
  readonly node: Node
  readonly name: string
  readonly field: Field
}

/** One field of a node, as the catalogue describes it: label, control, what is wrong with it. */
export function NodeField({ node, name, field }: NodeFieldProps) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly) || field.readonly === true
  const faults = useFieldFaults(node.id, name)
  const { onWrite, around } = useWriting(node.id, field.kind)
  const id = useId()
  const [labelId, helpId, faultId] = [`${id}-label`, `${id}-help`, `${id}-fault`]
  const Control = use(FieldPartsContext)(node.type, name, field) ?? FieldControl
  const describedBy = [field.help === undefined ? '' : helpId, faults.length === 0 ? '' : faultId]
  const isInline = field.kind === 'boolean'
  return (
    <div className={classes.field} data-inline={isInline || undefined} data-field={name} {...around}>
      <div className={classes.top}>
        <span id={labelId} className={classes.label}>
          {field.title}
        </span>
        {!isReadOnly && isSet(node, name) && (
          <button
            type="button"
            className={`${classes.reset} nodrag`}
            aria-label={`Reset ${field.title} to its default`}
            title="Reset to the default"
            onClick={() => editor.resetField(node.id, name)}
          >
            <IconArrowBackUp size={13} aria-hidden />
          </button>
        )}
      </div>
      {field.help !== undefined && (
        <p id={helpId} className={classes.help}>
          {field.help}
        </p>
      )}
      <Control
        node={node}
        name={name}
        field={field}
        value={fieldValue(node, name, field)}
        onChange={(value) => {
          onWrite()
          editor.setField(node.id, name, value)
        }}
        isReadOnly={isReadOnly}
        faults={faults}
        labelId={labelId}
        describedBy={describedBy.join(' ').trim()}
        faultList={faults.length > 0 && <FaultList id={faultId} faults={faults} />}
      />
    </div>
  )
}

function FaultList({ id, faults }: { readonly id: string; readonly faults: readonly Fault[] }) {
  return (
    <ul id={id} className={classes.faults}>
      {faults.map(({ message }) => (
        <li key={message}>{withoutPlace(message)}</li>
      ))}
    </ul>
  )
}

/** It stands at its field: where it is need not be said again. */
function withoutPlace(message: string): string {
  const said = message.replace(/^Field "[^"]*" of node "[^"]*":? /, '')
  return said.charAt(0).toUpperCase() + said.slice(1)
}
