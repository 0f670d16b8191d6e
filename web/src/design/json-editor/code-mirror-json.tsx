import { json } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { useCodeMirror } from '../code-mirror/use-code-mirror.ts'
import { type JsonFault, jsonFault } from './json-fault.ts'

export interface JsonEditorProps {
  readonly value: string
  readonly onChange: (text: string) => void
  /** What is edited, for screen readers. */
  readonly label: string
  readonly readOnly?: boolean
  /** In pixels; it grows to twice that and then scrolls. */
  readonly height?: number
  /** Told in words where the text is not JSON, a moment after it was typed; undefined where it is JSON. */
  readonly onFault?: (message: string | undefined) => void
  /** Told where the caret is, or what is selected. Nobody is told where the text is a plain one. */
  readonly onSelect?: (range: { readonly from: number; readonly to: number }) => void
}

export function CodeMirrorJson(props: JsonEditorProps) {
  const { value, onChange, label, readOnly = false, height = 160 } = props
  const told = useRef(props)
  useEffect(() => {
    told.current = props
  })
  const [extensions] = useState(() => [
    jsonWithFaults((fault) => told.current.onFault?.(fault?.message)),
    EditorView.updateListener.of(({ selectionSet, docChanged, state }) => {
      if (selectionSet || docChanged) told.current.onSelect?.(state.selection.main)
    })
  ])
  const host = useCodeMirror({ value, onChange, label, readOnly, height, extensions })
  return <div {...host} />
}

function jsonWithFaults(tell: (fault: JsonFault | undefined) => void): Extension {
  const find = linter(
    ({ state }) => {
      const fault = jsonFault(state.doc.toString())
      tell(fault)
      return fault === undefined
        ? []
        : [
            {
              from: fault.from,
              to: fault.to,
              severity: 'error',
              message: `This is not JSON yet. ${fault.message}`
            }
          ]
    },
    { delay: 250 }
  )
  return [json(), find]
}
