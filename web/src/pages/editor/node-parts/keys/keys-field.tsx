import { useId, useMemo, useState } from 'react'
import { knownPaths } from '../../../../editor/rows/known-paths.ts'
import { FieldControl } from '../../fields/field-control.tsx'
import type { FieldPartProps } from '../../node-part.ts'
import { useTemplateSample } from '../template/use-template-sample.ts'

/** A field that names keys of the data: what came last is offered while somebody types. */
export function KeysField(props: FieldPartProps) {
  const { node, name } = props
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  const { data } = useTemplateSample({ node: node.id, field: name, isAsking })
  // A field that says where the list is names keys of all the data, the others those of the items.
  const within = name === 'path' ? '' : String(node.fields.path ?? '')
  const paths = useMemo(() => (isAsking ? knownPaths(data, within) : []), [data, within, isAsking])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside of it is what is worked with.
    <div onFocus={() => setAsking(true)}>
      <FieldControl {...props} suggestions={id} />
      <datalist id={id}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </div>
  )
}
