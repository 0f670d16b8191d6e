import { type JsonValue, writeJson } from '../../../../../../src/flows/exact-json.ts'
import { readTextOrJson } from '../../../../editor/template/text-or-json.ts'
import { DraftControl } from '../../fields/field-control.tsx'
import type { FieldPartProps } from '../../node-part.ts'

/** A body is an object of templates, written as JSON, or a text that is a template. */
export function BodyField(props: FieldPartProps) {
  return (
    <>
      <DraftControl {...props} read={readTextOrJson} text={textOf(props.value)} isTall />
      {props.faultList}
    </>
  )
}

function textOf(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : writeJson(value, 2)
}
