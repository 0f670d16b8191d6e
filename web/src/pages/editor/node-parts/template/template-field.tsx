import { useState } from 'react'
import { IconLayoutSidebarRightExpand } from '../../../../design/icons/editor-icons.ts'
import { useEditor } from '../../editor-context.ts'
import { useSettled } from '../../fields/use-settled.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { useLeftCaret } from '../../session/left-caret.ts'
import { useDeclared } from '../use-declared.ts'
import { useTemplateVariables } from '../use-template-variables.ts'
import { showTemplate } from './show-template.tsx'
import { StillTemplate } from './still-template.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { TemplateFaults } from './template-faults.tsx'
import classes from './template-field.module.css'
import { TemplatePreview } from './template-preview.tsx'
import { useEntering } from './use-entering.ts'
import { useTemplateSample } from './use-template-sample.ts'

/**
 * A field that is a template, on a node: coloured text that becomes an editor when it is entered, and under it what
 * comes of it with the last payload.
 */
export function TemplateField(props: FieldPartProps) {
  const { node, name, field, isReadOnly } = props
  const editor = useEditor()
  const value = String(props.value)
  const variables = useTemplateVariables(node.id)
  const left = useLeftCaret()
  const entering = useEntering((at) => {
    left.current = { node: node.id, field: name, at }
  })
  const sample = useTemplateSample({ node: node.id, field: name, isAsking: entering.isOpen })
  const scope = { data: sample.data, variables, declared: useDeclared(node.id) }
  const [isAtWork, setAtWork] = useState(false)
  const isWriting = isAtWork && entering.isOpen
  const wasFaulty = useSettled(props.faults.length > 0, isWriting)
  return (
    <div className={classes.field}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside of it is what is worked with. */}
      <div onBlur={entering.onBlur}>
        {entering.isOpen && !isReadOnly && (
          <TemplateEditor
            value={value}
            onChange={props.onChange}
            label={field.title}
            describedBy={props.describedBy}
            scope={scope}
            height={58}
            isSmall
            caret={entering.caret}
            onReady={entering.onReady}
            onWriting={setAtWork}
            fallback={null}
          />
        )}
        {!entering.isReady && (
          <StillTemplate
            value={value}
            onChange={props.onChange}
            field={field}
            isReadOnly={isReadOnly}
            labelId={props.labelId}
            describedBy={props.describedBy}
            isFaulty={props.faults.length > 0}
            entering={entering.still}
          />
        )}
      </div>
      {wasFaulty && props.faultList}
      <TemplateFaults template={value} scope={scope} isWriting={isWriting} gapsOnly />
      {value !== '' && (
        <TemplatePreview
          node={node}
          template={{ name, value }}
          sample={sample}
          variables={variables}
          isWriting={isWriting}
          isSmall
        >
          <button
            type="button"
            className={`${classes.beside} nodrag`}
            aria-label={`Payload and preview of ${field.title}`}
            title="Payload and preview beside the canvas"
            onClick={() => showTemplate(editor, node, name)}
          >
            <IconLayoutSidebarRightExpand size={15} aria-hidden />
          </button>
        </TemplatePreview>
      )}
    </div>
  )
}
