import { autocompletion, type CompletionSource, startCompletion } from '@codemirror/autocomplete'
import { Prec } from '@codemirror/state'
import { EditorView, tooltips } from '@codemirror/view'
import { useEffect, useMemo, useRef } from 'react'
import { useCodeMirror } from '../../../../design/code-mirror/use-code-mirror.ts'
import { completeQuery, type QueryTable } from '../../../../editor/sql/complete-query.ts'

export interface QueryEditorProps {
  readonly value: string
  readonly onChange: (query: string) => void
  readonly label: string
  readonly describedBy: string
  readonly tables: readonly QueryTable[]
  readonly parameters: readonly string[]
  readonly onReady: () => void
}

/** The editor of a query: tables, columns and parameters are offered while somebody types. */
export function CodeMirrorQuery(props: QueryEditorProps) {
  const { value, onChange, label, describedBy, tables, parameters } = props
  const room = useRef<HTMLDivElement>(null)
  const onReady = useRef(props.onReady)
  const extensions = useMemo(
    () => [
      autocompletion({ override: [completionSource(tables, parameters)], icons: false }),
      // A node on the canvas is moved and scaled, and what is fixed inside of it is not fixed to the window.
      tooltips({ parent: document.body, position: 'fixed' }),
      EditorView.contentAttributes.of(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
      SMALL
    ],
    [tables, parameters, describedBy]
  )
  const hasTyped = useRef(false)
  const change = (query: string) => {
    hasTyped.current = true
    onChange(query)
  }
  const host = useCodeMirror({ value, onChange: change, label, height: 120, extensions })
  // After the effects of useCodeMirror, which make the view.
  useEffect(() => {
    const view = EditorView.findFromDOM(room.current!)
    view?.dispatch({ selection: { anchor: view.state.doc.length } })
    view?.focus()
    onReady.current()
  }, [])
  // A database may take its time to tell its tables: what was typed meanwhile is completed when they are here.
  useEffect(() => {
    const view = EditorView.findFromDOM(room.current!)
    if (view?.hasFocus && hasTyped.current && tables.length > 0) startCompletion(view)
  }, [tables])
  return (
    <div ref={room}>
      <div {...host} className="nodrag nowheel nokey" />
    </div>
  )
}

function completionSource(tables: readonly QueryTable[], parameters: readonly string[]): CompletionSource {
  return ({ state, pos }) => {
    const found = completeQuery(state.doc.toString(), pos, tables, parameters)
    if (found === undefined || found.options.length === 0) return null
    return { from: found.from, options: [...found.options], validFor: /^[\w$]*$/ }
  }
}

/** As the other fields of a node are. */
const SMALL = Prec.highest(
  EditorView.theme({
    '&': { fontSize: 'var(--text-xs)', borderRadius: 'var(--radius-small)' },
    '.cm-scroller': { lineHeight: '20px' },
    '.cm-content': { padding: '4px 0' },
    '.cm-line': { padding: '0 7px' }
  })
)
