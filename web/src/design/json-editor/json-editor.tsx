import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { JsonEditorProps } from './code-mirror-json.tsx'
import { PlainJson } from './plain-json.tsx'

export type { JsonEditorProps }

const CodeArea = lazy(() =>
  import('./code-mirror-json.tsx').then(
    ({ CodeMirrorJson }) => ({ default: CodeMirrorJson }),
    () => ({ default: PlainJson })
  )
)

/** Text of a JSON value, with colours, brackets and faults underlined. CodeMirror is loaded when it is first shown. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense
      fallback={<Skeleton height={props.height ?? 160} role="status" aria-label="Loading the editor" />}
    >
      <CodeArea {...props} />
    </Suspense>
  )
}
