import { use, useId } from 'react'
import type { Field, NumberField } from '../../../../../src/flows/component/component.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { FieldControl } from '../fields/field-control.tsx'
import classes from '../fields/fields.module.css'
import { FieldPartsContext } from '../node-part.ts'
import { useContextScope } from '../node-parts/use-context-scope.ts'
import { placeOfField } from '../registry/node-parts.ts'
import { type SharedField, setShared, sharedFields } from './shared-values.ts'

/** The fields of several nodes of one type, set for all of them at once. */
export function SharedFields({ nodes }: { readonly nodes: readonly Node[] }) {
  const catalogue = useEditorState((state) => state.catalogue)
  const scope = useContextScope()
  const fields = sharedFields(nodes, (type) => catalogue.facts(type)?.fields).filter(({ name, field }) =>
    nodes.every((node) => placeOfField(node, name, field, scope) !== 'nowhere')
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
        areDifferent={isDifferent}
        onChange={(next: JsonValue) => {
          if (next === SEVERAL && field.kind === 'choice') return
          editor.execute(setShared(nodes, name, next), `${name} of ${nodes.map((node) => node.id).join(' ')}`)
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
  // Without its default: that an empty field is a 0 is said by a placeholder of its own.
  if (field.kind === 'number') return { ...withoutDefault(field), placeholder: SEVERAL }
  return { ...field, placeholder: SEVERAL }
}

function withoutDefault({ default: _, ...field }: NumberField): NumberField {
  return field
}

function valueOfSeveral({ kind }: Field): JsonValue {
  if (kind === 'choice') return SEVERAL
  return kind === 'boolean' ? false : ''
}
