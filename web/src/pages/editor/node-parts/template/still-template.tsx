import { useState } from 'react'
import type { FieldPartProps } from '../../node-part.ts'
import { wheelInside } from '../wheel-inside.ts'
import { ColouredTemplate } from './coloured-template.tsx'
import { type DropMark, dropInto, dropMarkAt } from './drop-on-still.ts'
import classes from './template-field.module.css'
import type { useEntering } from './use-entering.ts'

type StillTemplateProps = Pick<
  FieldPartProps,
  'field' | 'isReadOnly' | 'labelId' | 'describedBy' | 'onChange'
> & {
  readonly value: string
  readonly isFaulty: boolean
  readonly entering: ReturnType<typeof useEntering>['still']
}

/** A template that nobody edits: coloured text. What is dragged onto it is dropped on it, as it would be in its editor. */
export function StillTemplate(props: StillTemplateProps) {
  const { value, field, isReadOnly, labelId, describedBy } = props
  const { mark, ...drop } = useDrop(value, props.onChange)
  return (
    // biome-ignore lint/a11y/useSemanticElements: its words are coloured, which no textarea can do.
    <div
      role="textbox"
      tabIndex={0}
      aria-multiline="true"
      aria-readonly={isReadOnly || undefined}
      aria-invalid={props.isFaulty || undefined}
      aria-labelledby={labelId}
      {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
      className={`${classes.staticTemplate} nodrag`}
      {...wheelInside}
      data-faulty={props.isFaulty || undefined}
      data-dropping={mark !== undefined || undefined}
      {...(isReadOnly ? {} : { ...props.entering, ...drop })}
    >
      {value === '' ? (
        <span className={classes.placeholder}>{field.placeholder ?? 'Text with {variables}'}</span>
      ) : (
        <ColouredTemplate source={value} />
      )}
      {mark !== undefined && <span className={classes.dropMark} style={mark} />}
    </div>
  )
}

/**
 * Without the editor: a browser drops on the element that it asked last, and would find it gone if the editor took its
 * place in between.
 */
function useDrop(value: string, onChange: (template: string) => void) {
  const [mark, setMark] = useState<DropMark | undefined>()
  return {
    mark,
    onDragOver: (event: React.DragEvent<HTMLElement>) => {
      // Else the browser refuses the drop.
      event.preventDefault()
      const next = dropMarkAt(event.currentTarget, value, event)
      setMark((now) => (now?.left === next.left && now.top === next.top ? now : next))
    },
    onDragLeave: ({ currentTarget, relatedTarget }: React.DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setMark(undefined)
    },
    onDrop: (event: React.DragEvent<HTMLElement>) => {
      event.preventDefault()
      setMark(undefined)
      const dropped = dropInto(event.currentTarget, value, event)
      if (dropped !== undefined) onChange(dropped)
    }
  }
}
