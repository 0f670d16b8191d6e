import type { NodeProps } from '@xyflow/react'
import { memo, useContext, useEffect, useState } from 'react'
import type { Note } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { ZoomedOutContext } from '../geometry/canvas-distance.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import classes from './groups.module.css'

type GroupViewProps = Pick<NodeProps<Extract<CanvasPart, { type?: 'group' }>>, 'data' | 'selected'>

/** A frame around nodes. Its title is its handle. */
export const GroupView = memo(
  ({ data: { group }, selected }: GroupViewProps) => {
    const editor = useEditor()
    const isWriting = useEditorState(({ renaming }) => renaming === group.id)
    const mark = useEditorState(({ marks }) => marks.get(group.id))
    const isZoomedOut = useContext(ZoomedOutContext)
    return (
      // biome-ignore lint/a11y/useSemanticElements: a frame on the canvas, no set of fields.
      <div
        role="group"
        tabIndex={-1}
        className={classes.frame}
        aria-label={`Group ${groupTitle(group)}, ${group.nodes?.length} nodes`}
        data-node={group.id}
        data-colour={group.colour ?? 'grey'}
        data-selected={selected || undefined}
        data-zoomed-out={isZoomedOut || undefined}
        data-mark={mark}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: F2 does the same. */}
        <div className={classes.handle} onDoubleClick={() => editor.rename(group.id)}>
          {isWriting ? <TitleInput group={group} /> : <span>{groupTitle(group)}</span>}
        </div>
      </div>
    )
  },
  (before, after) => before.data === after.data && before.selected === after.selected
)

function groupTitle({ text }: Note): string {
  return text.trim() || 'Group'
}

function TitleInput({ group }: { readonly group: Note }) {
  const editor = useEditor()
  const [text, setText] = useState(group.text)
  // Undo, or another editor, may change it while it is open.
  useEffect(() => setText(group.text), [group.text])
  const leave = (input: HTMLElement) => {
    const frame = input.closest<HTMLElement>('[data-node]')
    editor.rename(undefined)
    frame?.focus({ preventScroll: true })
  }
  return (
    <input
      className={`${classes.title} nodrag`}
      aria-label="Title of the group"
      placeholder="Group"
      maxLength={200}
      value={text}
      // biome-ignore lint/a11y/noAutofocus: whoever made or opened the group wants to name it.
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => {
        setText(event.target.value)
        editor.execute({ kind: 'change-note', note: group.id, changes: { text: event.target.value } })
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        leave(event.currentTarget)
      }}
      onBlur={() => editor.rename(undefined)}
    />
  )
}
