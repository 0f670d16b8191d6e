import { IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import { useState } from 'react'
import { useEditor } from '../../editor-context.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { useSurroundings } from '../use-surroundings.ts'
import { wheelInside } from '../wheel-inside.ts'
import { ColouredTemplate } from './coloured-template.tsx'
import { dropOnStill } from './drop-on-still.ts'
import { showTemplate } from './show-template.tsx'
import { type Caret, TemplateEditor } from './template-editor.tsx'
import { TemplateFaults } from './template-faults.tsx'
import classes from './template-field.module.css'
import { TemplatePreview } from './template-preview.tsx'
import { useTemplateSample } from './use-template-sample.ts'

/**
 * A field that is a template, on a node: coloured text that becomes an editor when it is entered, and under it what
 * comes of it with the last payload.
 */
export function TemplateField(props: FieldPartProps) {
  const { node, name, field, isReadOnly } = props
  const editor = useEditor()
  const value = String(props.value)
  const { variables } = useSurroundings()
  const entering = useEntering()
  const sample = useTemplateSample({ node: node.id, field: name, isAsking: entering.isOpen })
  const scope = { data: sample.data, variables }
  return (
    <div className={classes.field}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside of it is what is worked with. */}
      <div
        className={classes.room}
        {...(isReadOnly ? {} : entering.room)}
        onDrop={(event) => isReadOnly || dropOnStill(event, value, props.onChange)}
      >
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
            fallback={null}
          />
        )}
        {!entering.isReady && (
          // biome-ignore lint/a11y/useSemanticElements: its words are coloured, which no textarea can do.
          <div
            role="textbox"
            tabIndex={0}
            aria-multiline="true"
            aria-readonly={isReadOnly || undefined}
            aria-labelledby={props.labelId}
            {...(props.describedBy === '' ? {} : { 'aria-describedby': props.describedBy })}
            className={`${classes.still} nodrag`}
            {...wheelInside}
            data-faulty={props.faults.length > 0 || undefined}
            {...(isReadOnly ? {} : entering.still)}
          >
            {value === '' ? (
              <span className={classes.placeholder}>{field.placeholder ?? 'Text with {variables}'}</span>
            ) : (
              <ColouredTemplate source={value} />
            )}
          </div>
        )}
      </div>
      <TemplateFaults template={value} scope={scope} gapsOnly />
      <TemplatePreview node={node} template={{ name, value }} sample={sample} variables={variables} isSmall>
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
    </div>
  )
}

/**
 * When the editor is there: it is entered by focus, or by something that is dragged over it, and goes when it is left.
 * The still text stays until the editor has taken the focus from it: whoever watches the node sees one field.
 */
function useEntering() {
  const [caret, setCaret] = useState<Caret | 'none' | undefined>()
  const [isReady, setReady] = useState(false)
  const leave = (event: React.FocusEvent | React.DragEvent) => {
    const room = event.currentTarget
    if (room.contains(event.relatedTarget as Node | null)) return
    if (event.type === 'dragleave' && room.contains(document.activeElement)) return
    setCaret(undefined)
    setReady(false)
  }
  return {
    isOpen: caret !== undefined,
    isReady,
    caret: caret === 'none' ? undefined : caret,
    onReady: () => setReady(true),
    room: {
      onBlur: leave,
      onDragLeave: leave,
      onDragEnter: () => setCaret((now) => now ?? 'none'),
      // Without this the browser refuses the drop.
      onDragOver: (event: React.DragEvent) => event.preventDefault()
    },
    still: {
      // A press comes before the focus that it brings.
      onMouseDown: ({ clientX, clientY }: React.MouseEvent) => setCaret({ x: clientX, y: clientY }),
      onFocus: () => setCaret((now) => now ?? 'end')
    }
  }
}
