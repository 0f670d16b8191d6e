import { lazy, Suspense } from 'react'
import type { TemplateEditorProps } from './code-mirror-template.tsx'
import { PlainTemplate } from './plain-template.tsx'

/** CodeMirror is loaded when a template is first edited. */
const CodeArea = lazy(() =>
  import('./code-mirror-template.tsx').then(
    ({ CodeMirrorTemplate }) => ({ default: CodeMirrorTemplate }),
    () => ({ default: PlainTemplate })
  )
)

interface WithFallback extends TemplateEditorProps {
  /** What is shown while CodeMirror is on its way. */
  readonly fallback: React.ReactNode
}

export function TemplateEditor({ fallback, ...props }: WithFallback) {
  return (
    <Suspense fallback={fallback}>
      <CodeArea {...props} />
    </Suspense>
  )
}
