import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

const CodeArea = lazy(async () => {
  const { CodeMirrorJson } = await import('./code-mirror-json.tsx')
  return { default: CodeMirrorJson }
})

export interface JsonEditorProps {
  readonly value: string
  readonly onChange: (text: string) => void
  /** What is edited, for screen readers. */
  readonly label: string
  readonly readOnly?: boolean
  /** In pixels; it grows to twice that and then scrolls. */
  readonly height?: number
}

/** Text of a JSON value, with colours, brackets and faults underlined. CodeMirror is loaded when it is first shown. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 160} aria-label="Loading the editor" />}>
      <CodeArea {...props} />
    </Suspense>
  )
}
