import { use, useId } from 'react'
import type { Field } from '../../../../../src/flows/component.ts'
import type { JsonValue } from '../../../../../src/flows/exact-json.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { FieldControl } from '../fields/field-control.tsx'
import classes from '../fields/fields.module.css'
import { FieldPartsContext } from '../node-part.ts'
import { type SharedField, setShared, sharedFields } from './shared-values.ts'

/** The fields of several nodes of one type, set for all of them at once. */
export function SharedFields({ nodes }: { readonly nodes: readonly Node[] }) {
  const catalogue = useEditorState((state) => state.catalogue)
  const partFor = use(FieldPartsContext)
  const fields = sharedFields(nodes, (type) => catalogue.facts(type)?.fields).filter(
    // What a part of its own draws is about one node.
    ({ name, field }) => field.kind === 'connection' || partFor(nodes[0]!.type, name, field) === undefined
  )
  if (fields.length === 0) return null
  return (
    <div className={classes.form}>
      {fields.map((shared) => (
        <OneForAll key={shared.name} nodes={nodes} {...shared} />
      ))}
    </div>
  )
}

const SEVERAL = 'Several values'

function OneForAll({ nodes, name, field, value }: SharedField & { readonly nodes: readonly Node[] }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const id = useId()
  const Control = use(FieldPartsContext)(nodes[0]!.type, name, field) ?? FieldControl
  const isDifferent = value === undefined
  return (
    <div className={classes.field} data-inline={field.kind === 'boolean' || undefined} data-shared={name}>
      <div className={classes.top}>
        <span id={`${id}-label`} className={classes.label}>
          {field.title}
          {isDifferent && field.kind === 'boolean' && ` (${SEVERAL.toLowerCase()})`}
        </span>
      </div>
      <Control
        node={nodes[0]!}
        name={name}
        field={isDifferent ? withSeveral(field) : field}
        value={value ?? valueOfSeveral(field)}
        onChange={(next: JsonValue) => {
          if (next === SEVERAL && field.kind === 'choice') return
          editor.perform(setShared(nodes, name, next), `${name} of ${nodes.map((node) => node.id).join(' ')}`)
        }}
        isReadOnly={isReadOnly}
        faults={[]}
        labelId={`${id}-label`}
        describedBy=""
        faultList={null}
      />
    </div>
  )
}

function withSeveral(field: Field): Field {
  if (field.kind === 'choice') return { ...field, choices: [SEVERAL, ...field.choices] }
  return { ...field, placeholder: SEVERAL }
}

function valueOfSeveral({ kind }: Field): JsonValue {
  if (kind === 'choice') return SEVERAL
  return kind === 'boolean' ? false : ''
}
