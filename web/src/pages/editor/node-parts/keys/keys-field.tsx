import { useId, useMemo, useState } from 'react'
import type { Field } from '../../../../../../src/flows/component/component.ts'
import { knownPaths } from '../../../../editor/rows/known-paths.ts'
import { FieldControl } from '../../fields/field-control.tsx'
import { suggestionsOf } from '../../fields/suggestions-of.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { useTemplateSample } from '../template/use-template-sample.ts'

/** A field that names keys of the data: what came last is offered while somebody types. */
export function KeysField(props: FieldPartProps) {
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside of it is what is worked with.
    <div onFocus={() => setAsking(true)}>
      <FieldControl {...props} suggestions={id} />
      {isAsking &&
        inputsOf(props.field).map((input) => (
          <KeyList key={input ?? ''} {...props} id={suggestionsOf(id, input)} input={input} />
        ))}
    </div>
  )
}

interface KeyListProps extends Pick<FieldPartProps, 'node' | 'name'> {
  readonly id: string
  readonly input: string | undefined
}

function KeyList({ node, name, id, input }: KeyListProps) {
  const { data } = useTemplateSample({ node: node.id, field: name, input, isAsking: true })
  // A field that says where the list is names keys of all the data, the others those of the items.
  const within = name === 'path' ? '' : String(node.fields.path ?? '')
  const paths = useMemo(() => knownPaths(data, within), [data, within])
  return (
    <datalist id={id}>
      {paths.map((path) => (
        <option key={path} value={path} />
      ))}
    </datalist>
  )
}

/** Those whose keys its columns name; undefined is the one that all fields of the node read. */
function inputsOf(field: Field): readonly (string | undefined)[] {
  if (field.kind !== 'rows') return [undefined]
  const columns = Object.values(field.columns).filter(({ path }) => path === true)
  return [...new Set(columns.map(({ input }) => input))]
}
