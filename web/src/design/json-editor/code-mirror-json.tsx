import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import { useCodeMirror } from '../code-mirror/use-code-mirror.ts'
import type { JsonEditorProps } from './json-editor.tsx'

const LANGUAGE = [json(), linter(jsonParseLinter(), { delay: 250 })]

export function CodeMirrorJson({ value, onChange, label, readOnly = false, height = 160 }: JsonEditorProps) {
  const host = useCodeMirror({ value, onChange, label, readOnly, height, extensions: LANGUAGE })
  return <div ref={host} />
}
