import { type NodeProps, NodeResizeControl } from '@xyflow/react'
import { lazy, memo, Suspense, useContext, useEffect, useState } from 'react'
import { NOTE_COLOURS } from '../../../../../src/flows/document/note-colours.ts'
import { IconArrowsDiagonal } from '../../../design/icons/canvas-icons.ts'
import { IconTrash } from '../../../design/icons/page-icons.ts'
import type { Note, NoteColour } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { ZoomedOutContext } from '../geometry/canvas-distance.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import classes from './notes.module.css'

const NoteText = lazy(() =>
  import('./note-text.tsx').then(
    (loaded) => ({ default: loaded.NoteText }),
    () => ({ default: PlainNote })
  )
)

/** As it was written, where what reads Markdown could not be loaded. */
function PlainNote({ text }: { readonly text: string }) {
  return <p className={classes.plain}>{text}</p>
}

type NoteViewProps = Pick<NodeProps<Extract<CanvasPart, { type?: 'note' }>>, 'data' | 'selected'>

/** Text beside the nodes, for people. It is written in Markdown, after a double click. */
export const NoteView = memo(
  ({ data: { note }, selected }: NoteViewProps) => {
    const editor = useEditor()
    const isReadOnly = useEditorState((state) => state.isReadOnly)
    const mark = useEditorState(({ marks }) => marks.get(note.id))
    const isWriting = useEditorState(({ renaming }) => renaming === note.id)
    const isZoomedOut = useContext(ZoomedOutContext)
    return (
      // biome-ignore lint/a11y/useSemanticElements: a note is one place among many on the canvas, no set of fields.
      <div
        role="group"
        tabIndex={-1}
        className={classes.note}
        aria-label={`Note, ${note.id}`}
        data-node={note.id}
        data-colour={note.colour ?? 'yellow'}
        data-selected={selected || undefined}
        data-zoomed-out={isZoomedOut || undefined}
        data-mark={mark}
        onDoubleClick={() => editor.rename(note.id)}
      >
        {isWriting ? (
          <NoteInput note={note} />
        ) : (
          <Suspense fallback={null}>
            <NoteText text={note.text} isReadOnly={isReadOnly} />
          </Suspense>
        )}
        {selected && !isReadOnly && !isZoomedOut && <NoteTools note={note} />}
      </div>
    )
  },
  (before, after) => before.data === after.data && before.selected === after.selected
)

function NoteInput({ note }: { readonly note: Note }) {
  const editor = useEditor()
  const [text, setText] = useState(note.text)
  // Undo, or another editor, may change it while it is open.
  useEffect(() => setText(note.text), [note.text])
  return (
    <textarea
      className={`${classes.input} nodrag nowheel`}
      aria-label="Text of the note, in Markdown"
      placeholder="Write in Markdown…"
      maxLength={20_000}
      value={text}
      // biome-ignore lint/a11y/noAutofocus: whoever opened the note wants to write.
      autoFocus
      onChange={(event) => {
        setText(event.target.value)
        editor.execute({ kind: 'change-note', note: note.id, changes: { text: event.target.value } })
      }}
      onBlur={() => editor.rename(undefined)}
    />
  )
}

function NoteTools({ note }: { readonly note: Note }) {
  const editor = useEditor()
  return (
    <>
      <div className={`${classes.tools} nodrag`}>
        {NOTE_COLOURS.map((colour: NoteColour) => (
          <button
            key={colour}
            type="button"
            className={classes.colour}
            data-colour={colour}
            aria-label={`Colour ${colour}`}
            aria-pressed={(note.colour ?? 'yellow') === colour}
            onClick={() =>
              editor.execute({ kind: 'change-note', note: note.id, changes: { colour } }, `colour ${note.id}`)
            }
          />
        ))}
        <button
          type="button"
          className={classes.tool}
          aria-label="Delete the note"
          onClick={() => editor.execute({ kind: 'remove', ids: [note.id] })}
        >
          <IconTrash size={15} aria-hidden />
        </button>
      </div>
      <NodeResizeControl
        className={classes.resize!}
        minWidth={120}
        minHeight={64}
        position="bottom-right"
        onResize={(_event, { width, height }) => {
          const size = { width: Math.round(width), height: Math.round(height) }
          editor.execute({ kind: 'change-note', note: note.id, changes: { size } }, `resize ${note.id}`)
        }}
      >
        <IconArrowsDiagonal size={12} aria-hidden />
      </NodeResizeControl>
    </>
  )
}
