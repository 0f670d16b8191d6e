import { PlainArea } from '../code-mirror/plain-area.tsx'
import type { JsonEditorProps } from './code-mirror-json.tsx'

/** JSON without colours, where CodeMirror could not be loaded. */
export function PlainJson({ value, onChange, label, readOnly = false, height = 160 }: JsonEditorProps) {
  return <PlainArea {...{ value, onChange, label, readOnly, height }} />
}
