import { autocompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete'
import { javascript, localCompletionSource } from '@codemirror/lang-javascript'
import { syntaxTree } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, tooltips } from '@codemirror/view'
import { useEffect, useMemo, useRef } from 'react'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { useCodeMirror } from '../../../../design/code-mirror/use-code-mirror.ts'
import { completeJavaScript } from '../../../../editor/code/complete-javascript.ts'
import { completeJsonata } from '../../../../editor/code/complete-jsonata.ts'
import type { ErrorPlace } from '../../../../editor/code/error-place.ts'
import type { CodeCompletion, CodeOption } from '../../../../editor/code/members.ts'
import { jsonataLanguage } from './jsonata-language.ts'

export type CodeLanguage = 'javascript' | 'jsonata'

export interface CodeEditorProps {
  readonly language: CodeLanguage
  readonly value: string
  readonly onChange: (code: string) => void
  /** What is edited, for screen readers. */
  readonly label: string
  readonly describedBy: string
  readonly readOnly: boolean
  /** In pixels; it grows to twice that and then scrolls. */
  readonly height: number
  /** What the code would get, for completion. */
  readonly data: JsonValue | undefined
  /** What was found wrong with this very text. */
  readonly error: ErrorPlace | undefined
  /** Mod+Enter was pressed. */
  readonly onRun: () => void
  readonly takesFocus?: boolean
}

/** The editor of code or of an expression: keys of the last data are offered, and what is wrong is underlined. */
export function CodeMirrorCode(props: CodeEditorProps) {
  const { language, value, onChange, label, describedBy, readOnly, height, error, takesFocus = false } = props
  const room = useRef<HTMLDivElement>(null)
  const newest = useRef(props)
  useEffect(() => {
    newest.current = props
  })
  const extensions = useMemo(
    () => [
      languageOf(language, () => newest.current.data),
      // In a dialog that is moved in, what is fixed inside of it is not fixed to the window.
      tooltips({ parent: document.body, position: 'fixed' }),
      runKey(() => newest.current.onRun()),
      lineNumbers(),
      NUMBERED,
      EditorView.contentAttributes.of({
        ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
        // A dialog gives the focus to what says so, when it has opened.
        ...(takesFocus ? { 'data-autofocus': '' } : {})
      })
    ],
    [language, describedBy, takesFocus]
  )
  const host = useCodeMirror({ value, onChange, label, readOnly, height, extensions })
  // After the effects of useCodeMirror, which make the view.
  useEffect(() => {
    if (takesFocus) EditorView.findFromDOM(room.current!)?.focus()
  }, [takesFocus])
  useEffect(() => {
    const view = EditorView.findFromDOM(room.current!)
    view?.dispatch(setDiagnostics(view.state, error === undefined ? [] : [diagnosticOf(error, view)]))
  }, [error])
  return (
    <div ref={room}>
      <div {...host} className="nodrag nowheel nokey" />
    </div>
  )
}

function diagnosticOf({ from, to, message }: ErrorPlace, view: EditorView): Diagnostic {
  const { length } = view.state.doc
  return { from: Math.min(from, length), to: Math.min(to, length), severity: 'error', message }
}

/** Not a test of the flow, which the same keys begin elsewhere. */
function runKey(run: () => void): Extension {
  return Prec.highest(
    keymap.of([
      {
        key: 'Mod-Enter',
        stopPropagation: true,
        run: () => {
          run()
          return true
        }
      }
    ])
  )
}

function languageOf(language: CodeLanguage, data: () => JsonValue | undefined): Extension {
  const complete = language === 'javascript' ? completeJavaScript : completeJsonata
  const source: CompletionSource = (context) => {
    if (language === 'javascript' && isInText(context)) return null
    const found = complete(context.state.doc.toString(), context.pos, data())
    return found === undefined ? null : resultOf(found)
  }
  const sources = language === 'javascript' ? [source, localCompletionSource] : [source]
  return [
    language === 'javascript' ? javascript({ typescript: true }) : jsonataLanguage,
    autocompletion({ override: sources, icons: false })
  ]
}

/** A dot inside of a text, a comment or a pattern asks for nothing. */
function isInText({ state, pos }: Parameters<CompletionSource>[0]): boolean {
  return /^(?:String|TemplateString|LineComment|BlockComment|RegExp)$/.test(
    syntaxTree(state).resolveInner(pos, -1).name
  )
}

function resultOf({ from, options }: CodeCompletion): ReturnType<CompletionSource> {
  return { from, options: options.map(completionOf), validFor: /^[\p{L}\p{N}_$]*$/u }
}

function completionOf({ label, detail, insert, takesDot = false }: CodeOption, index: number): Completion {
  const shown = { label, detail, boost: -index }
  if (insert === undefined) return shown
  if (!takesDot) return { ...shown, apply: insert }
  return {
    ...shown,
    apply: (view, _completion, from, to) => {
      // Behind ?. the brackets need it.
      const start = view.state.sliceDoc(from - 2, from) === '?.' ? from : from - 1
      view.dispatch({
        changes: { from: start, to, insert },
        selection: { anchor: start + insert.length },
        userEvent: 'input.complete'
      })
    }
  }
}

const NUMBERED = EditorView.theme({
  '.cm-gutters': {
    backgroundColor: 'transparent',
    border: '0',
    color: 'var(--text-quiet)',
    fontSize: 'var(--text-xs)'
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '24px', padding: '0 4px 0 6px' }
})
