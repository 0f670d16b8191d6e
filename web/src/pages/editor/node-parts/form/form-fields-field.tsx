import { lazy, Suspense } from 'react'
import { LoadingState } from '../../../../design/loading-state.tsx'
import { formRows } from '../../../../editor/form/form-rows.ts'
import { FieldControl } from '../../fields/field-control.tsx'
import type { FieldPartProps } from '../../node-part.ts'

const FormBuilder = lazy(() =>
  import('./form-builder.tsx').then(
    ({ FormBuilder: Builder }) => ({ default: Builder }),
    // Where it does not arrive, the plain field stays.
    () => ({ default: FieldControl })
  )
)

/** What a form asks for: row by row, with the form as visitors see it below. What is not made of rows is edited as JSON. */
export function FormFieldsField(props: FieldPartProps) {
  if (formRows(props.value) === undefined || props.areDifferent === true) return <FieldControl {...props} />
  return (
    <Suspense fallback={<LoadingState rows={3} height={30} />}>
      <FormBuilder {...props} />
    </Suspense>
  )
}
