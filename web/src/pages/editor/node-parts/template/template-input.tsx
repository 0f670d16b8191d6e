import { StillTemplate } from './still-template.tsx'
import { TemplateEditor } from './template-editor.tsx'
import type { TemplateScope } from './template-language.ts'
import { useEntering } from './use-entering.ts'

interface TemplateInputProps {
  readonly value: string
  readonly onChange: (template: string) => void
  readonly label: string
  /** The id of that label, for the still text. */
  readonly labelId: string
  readonly placeholder: string
  readonly scope: TemplateScope
  readonly isReadOnly: boolean
}

/** A template that stands in a row: coloured text that becomes an editor, with completion, when it is entered. */
export function TemplateInput(props: TemplateInputProps) {
  const { value, onChange, label, labelId, placeholder, scope, isReadOnly } = props
  const entering = useEntering()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside of it is what is worked with.
    <div onBlur={entering.onBlur}>
      {entering.isOpen && !isReadOnly && (
        <TemplateEditor
          value={value}
          onChange={onChange}
          label={label}
          scope={scope}
          height={30}
          isSmall
          caret={entering.caret}
          onReady={entering.onReady}
          onWriting={ignored}
          fallback={null}
        />
      )}
      {!entering.isReady && (
        <StillTemplate
          value={value}
          onChange={(template) => onChange(String(template))}
          field={{ kind: 'template', title: label, placeholder }}
          isReadOnly={isReadOnly}
          labelId={labelId}
          describedBy=""
          isFaulty={false}
          entering={entering.still}
        />
      )}
    </div>
  )
}

/** What is wrong is told below all rows. */
function ignored(): void {}
