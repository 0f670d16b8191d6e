import { useEffect, useRef } from 'react'
import { PlainArea } from '../../../../design/code-mirror/plain-area.tsx'
import { insertKey } from '../../../../editor/template/insert-key.ts'
import type { TemplateEditorProps, TemplateHand } from './code-mirror-template.tsx'

/** A template without colours and completion, where CodeMirror could not be loaded. */
export function PlainTemplate(props: TemplateEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const newest = useRef(props)
  useEffect(() => {
    newest.current = props
  })
  useEffect(() => {
    const field = area.current!
    const { caret, onReady } = newest.current
    if (caret !== undefined) {
      field.setSelectionRange(field.value.length, field.value.length)
      field.focus({ preventScroll: true })
    }
    onReady?.(handOf(field, (template) => newest.current.onChange(template)))
  }, [])
  const { value, label, describedBy = '', height, isSmall = false, onWriting } = props
  const onChange = (template: string) => {
    onWriting(true)
    props.onChange(template)
  }
  const onBlur = () => onWriting(false)
  return <PlainArea {...{ value, onChange, onBlur, label, describedBy, height, isSmall }} ref={area} />
}

function handOf(field: HTMLTextAreaElement, onChange: (template: string) => void): TemplateHand {
  return {
    insert: (path, payload) => {
      const insertion = insertKey(field.value, field.selectionStart, path, payload)
      if (insertion.message !== undefined) return insertion.message
      const { from, to, text } = insertion
      field.setRangeText(text, from, to, 'end')
      field.focus()
      onChange(field.value)
      return undefined
    },
    caret: () => field.selectionStart,
    take: (step) => {
      if (step.kind === 'select all') return field.select()
      const { selectionStart: from, selectionEnd: to } = field
      const isDelete = step.kind === 'delete'
      const start = isDelete && from === to ? Math.max(0, from - 1) : from
      field.setRangeText(isDelete ? '' : step.text, start, to, 'end')
      onChange(field.value)
    }
  }
}
