import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { JsonEditorProps } from './code-mirror-json.tsx'

const CodeArea = lazy(async () => {
  const { CodeMirrorJson } = await import('./code-mirror-json.tsx')
  return { default: CodeMirrorJson }
})

/** Text of a JSON value, with colours, brackets and faults underlined. CodeMirror is loaded when it is first shown. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 160} aria-label="Loading the editor" />}>
      <CodeArea {...props} />
    </Suspense>
  )
}
