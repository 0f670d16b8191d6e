import { lazy, Suspense } from 'react'
import type { JsonValue } from '../../../../../../src/flows/exact-json.ts'
import type { ValuePath } from '../../../../editor/template/template-path.ts'
import type { TemplateScope } from './template-language.ts'

/** CodeMirror is loaded when a template is first edited. */
const CodeArea = lazy(async () => {
  const { CodeMirrorTemplate } = await import('./code-mirror-template.tsx')
  return { default: CodeMirrorTemplate }
})

export interface TemplateEditorProps {
  readonly value: string
  readonly onChange: (template: string) => void
  /** What is edited, for screen readers. */
  readonly label: string
  readonly describedBy?: string
  readonly scope: TemplateScope
  /** In pixels; it grows to twice that and then scrolls. */
  readonly height: number
  /** For a node on the canvas. */
  readonly isSmall?: boolean
  /** Takes the focus, with the cursor at a point of the window or at the end; without it, it takes none. */
  readonly caret?: Caret | undefined
  /** Called when it can be worked with. */
  readonly onReady?: (hand: TemplateHand) => void
}

export type Caret = 'end' | { readonly x: number; readonly y: number }

/** What others do with an editor. */
export interface TemplateHand {
  /** Puts a key of a payload in at the cursor. Answers why not, where it cannot. */
  insert(path: ValuePath, payload: JsonValue): string | undefined
}

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
