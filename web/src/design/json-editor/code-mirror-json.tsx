import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import { useCodeMirror } from '../code-mirror/use-code-mirror.ts'

export interface JsonEditorProps {
  readonly value: string
  readonly onChange: (text: string) => void
  /** What is edited, for screen readers. */
  readonly label: string
  readonly readOnly?: boolean
  /** In pixels; it grows to twice that and then scrolls. */
  readonly height?: number
}

const LANGUAGE = [json(), linter(jsonParseLinter(), { delay: 250 })]

export function CodeMirrorJson({ value, onChange, label, readOnly = false, height = 160 }: JsonEditorProps) {
  const host = useCodeMirror({ value, onChange, label, readOnly, height, extensions: LANGUAGE })
  return <div ref={host} />
}
