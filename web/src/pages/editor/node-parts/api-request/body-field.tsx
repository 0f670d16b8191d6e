import { readTextOrJson } from '../../../../editor/template/text-or-json.ts'
import { DraftControl } from '../../fields/field-control.tsx'
import type { FieldPartProps } from '../../node-part.ts'

/** A body is an object of templates, written as JSON, or a text that is a template. */
export function BodyField(props: FieldPartProps) {
  return (
    <>
      <DraftControl {...props} read={readTextOrJson} isTall />
      {props.faultList}
    </>
  )
}
