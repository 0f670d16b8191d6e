import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { PlainArea } from '../../../../design/code-mirror/plain-area.tsx'
import type { CodeEditorProps } from './code-mirror-code.tsx'

/** CodeMirror is loaded when code is first shown. */
const CodeArea = lazy(() =>
  import('./code-mirror-code.tsx').then(
    ({ CodeMirrorCode }) => ({ default: CodeMirrorCode }),
    () => ({ default: PlainCode })
  )
)

export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} role="status" aria-label="Loading the editor" />}>
      <CodeArea {...props} />
    </Suspense>
  )
}

function PlainCode({ value, onChange, label, describedBy, readOnly, height }: CodeEditorProps) {
  return <PlainArea {...{ value, onChange, label, describedBy, readOnly, height }} />
}
