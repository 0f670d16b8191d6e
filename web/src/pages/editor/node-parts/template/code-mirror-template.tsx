import { deleteCharBackward, selectAll } from '@codemirror/commands'
import { Prec } from '@codemirror/state'
import { EditorView, ViewPlugin } from '@codemirror/view'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { useCodeMirror } from '../../../../design/code-mirror/use-code-mirror.ts'
import type { ValuePath } from '../../../../editor/template/template-path.ts'
import type { AheadStep } from '../../../../editor/template/typed-ahead.ts'
import { faultsAfterWriting } from './faults-after-writing.ts'
import { draggedPath, insertInto } from './insert-variable.ts'
import { type TemplateScope, templateLanguage } from './template-language.ts'

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
  /** Called when somebody begins to write, and when they pause or leave: what is wrong is told then. */
  readonly onWriting: (isWriting: boolean) => void
}

export type Caret = 'end' | { readonly x: number; readonly y: number }

/** What others do with an editor. */
export interface TemplateHand {
  /** Puts a key of a payload in at the cursor. Answers why not, where it cannot. */
  insert(path: ValuePath, payload: JsonValue): string | undefined
  /** Where the cursor is. */
  caret(): number
  /** Does what was typed before the editor was there. */
  take(step: AheadStep): void
}

export function CodeMirrorTemplate(props: TemplateEditorProps) {
  const { value, onChange, label, describedBy = '', scope, height, isSmall = false } = props
  const view = useRef<EditorView>(undefined)
  const { data, variables } = scope
  const newest = useRef(props)
  useEffect(() => {
    newest.current = props
  })
  const [scoped] = useState(() => {
    const newestScope = () => newest.current.scope
    const onWriting = (isWriting: boolean) => newest.current.onWriting(isWriting)
    return [templateLanguage(newestScope), faultsAfterWriting({ scope: newestScope, onWriting })]
  })
  const extensions = useMemo(
    () => [
      scoped,
      catchView(view),
      dropVariables,
      EditorView.contentAttributes.of(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
      isSmall ? SMALL : []
    ],
    [scoped, describedBy, isSmall]
  )
  const host = useCodeMirror({ value, onChange, label, height, extensions })
  // What it says of the text follows from them, so it looks at it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an update that changes nothing.
  useEffect(() => view.current?.dispatch({}), [data, variables])
  const first = useRef(props)
  // After the effects of useCodeMirror, which make the view.
  useEffect(() => {
    const made = view.current
    if (made === undefined) return
    const { caret, onReady } = first.current
    if (caret !== undefined) takeFocus(made, caret)
    onReady?.({
      insert: (path, payload) => insertInto(made, made.state.selection.main.head, path, payload),
      caret: () => made.state.selection.main.head,
      take: (step) => takeAhead(made, step)
    })
  }, [])
  return <div {...host} className="nodrag nowheel nokey" />
}

function takeAhead(view: EditorView, step: AheadStep): void {
  if (step.kind === 'select all') selectAll(view)
  else if (step.kind === 'delete') deleteCharBackward(view)
  else view.dispatch(view.state.replaceSelection(step.text))
}

function takeFocus(view: EditorView, caret: Caret): void {
  const at = caret === 'end' ? null : view.posAtCoords(caret)
  view.dispatch({ selection: { anchor: at ?? view.state.doc.length }, scrollIntoView: true })
  view.focus()
}

function catchView(view: React.RefObject<EditorView | undefined>) {
  return ViewPlugin.define((made) => {
    view.current = made
    return {
      destroy: () => {
        view.current = undefined
      }
    }
  })
}

/** A key that is dropped on a placeholder takes its place; anything else drops as text does. */
const dropVariables = EditorView.domEventHandlers({
  drop: (event, view) => {
    const path = draggedPath(event.dataTransfer?.getData('text/plain') ?? '')
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
    if (path === undefined || at === null) return false
    event.preventDefault()
    insertInto(view, at, path, {})
    return true
  }
})

/** As the other fields of a node are: stronger than the theme of every editor, so that a field does not jump when it is entered. */
const SMALL = Prec.highest(
  EditorView.theme({
    '&': { fontSize: 'var(--text-xs)', borderRadius: 'var(--radius-small)' },
    '.cm-scroller': { lineHeight: '20px' },
    '.cm-content': { padding: '4px 0' },
    '.cm-line': { padding: '0 7px' }
  })
)
