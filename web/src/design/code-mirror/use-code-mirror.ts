import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../style-nonce.ts'
import { editorTheme, highlighting } from './theme.ts'
import { typeOver } from './type-over.ts'

interface CodeMirrorOptions {
  readonly value: string
  readonly onChange: (text: string) => void
  /** What is edited, for screen readers. */
  readonly label: string
  readonly readOnly?: boolean
  readonly height?: number
  /** Language, completion, decorations. A new array replaces the old one. */
  readonly extensions?: Extension
}

interface Host {
  readonly ref: React.RefObject<HTMLDivElement | null>
  readonly style: React.CSSProperties
}

/**
 * A CodeMirror in a div: `<div {...useCodeMirror({ … })} />`. Tab leaves it, as it leaves every other field: an
 * editor that swallows Tab is a trap for whoever works by keyboard.
 */
export function useCodeMirror(options: CodeMirrorOptions): Host {
  const { value, label, readOnly = false, height = 120, extensions = [] } = options
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const onChange = useRef(options.onChange)
  const changing = useRef(new Compartment())
  useEffect(() => {
    onChange.current = options.onChange
  })
  const first = useRef({ value, height })
  useEffect(() => {
    const created = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: first.current.value,
        extensions: base(changing.current, onChange, first.current.height)
      })
    })
    view.current = created
    return () => created.destroy()
  }, [])
  useEffect(() => {
    const settings = [
      EditorState.readOnly.of(readOnly),
      // The stop is told: tools that look at a scroller do not know that what is edited is one.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      extensions
    ]
    view.current?.dispatch({ effects: changing.current.reconfigure(settings) })
  }, [readOnly, label, extensions])
  useEffect(() => {
    const shown = view.current
    if (shown === undefined || shown.state.doc.toString() === value) return
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } })
  }, [value])
  // As high as what it will hold: while it was without a height, what lies beside it had more room and scrolled.
  return { ref: host, style: { minHeight: height } }
}

function base(
  changing: Compartment,
  onChange: React.RefObject<(text: string) => void>,
  height: number
): Extension {
  return [
    EditorView.cspNonce.of(styleNonce()),
    // Signs that turn a line round, or that nobody sees, stand there as a mark.
    highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2060-\u2064\u2068\u206a-\u206f]/ }),
    history(),
    bracketMatching(),
    closeBrackets(),
    keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    typeOver,
    editorTheme(height),
    highlighting,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange.current(update.state.doc.toString())
    }),
    changing.of([])
  ]
}
