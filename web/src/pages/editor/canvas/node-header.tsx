import { useRef } from 'react'
import { IconDots } from '../../../design/icons/page-icons.ts'
import { ComponentIcon } from '../components/component-icon.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { useFinishOnLeave } from '../fields/use-finish-on-leave.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { useNodeMenu } from '../session/node-menu-context.ts'
import classes from './node.module.css'
import { titleOf } from './node-words.ts'

/** Icon, title, what kind of node it is, and its menu. The node is dragged by it. */
export function NodeHeader({ drawn }: { readonly drawn: DrawnNode }) {
  const { node, component } = drawn
  const editor = useEditor()
  const openMenu = useNodeMenu()
  const isRenaming = useEditorState(({ renaming }) => renaming === node.id)
  const title = titleOf(drawn)
  const kind = component?.title ?? node.type
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard, F2 and the menu rename a node.
    <header className={classes.header} onDoubleClick={() => editor.rename(node.id)}>
      <span className={classes.icon}>
        <ComponentIcon name={component?.icon} />
      </span>
      <div className={classes.names}>
        {isRenaming ? (
          <TitleInput node={node.id} title={title} fallback={kind} />
        ) : (
          <span className={classes.title}>{title}</span>
        )}
        <span className={classes.kind}>{kind === title ? node.id : `${kind} · ${node.id}`}</span>
      </div>
      <button
        type="button"
        className={`${classes.menuButton} nodrag`}
        aria-label={`Menu of ${title}, ${node.id}`}
        aria-haspopup="menu"
        onClick={(event) => openMenu(node.id, event.currentTarget.getBoundingClientRect())}
      >
        <IconDots size={16} aria-hidden />
      </button>
    </header>
  )
}

interface TitleInputProps {
  readonly node: string
  readonly title: string
  /** The title that a node without one of its own has. */
  readonly fallback: string
}

function TitleInput({ node, title, fallback }: TitleInputProps) {
  const editor = useEditor()
  const finish = (typed: string) => {
    const text = typed.trim()
    editor.rename(undefined)
    editor.perform({
      kind: 'change-node',
      node,
      changes: { title: text === '' || text === fallback ? null : text }
    })
  }
  const input = useRef<HTMLInputElement>(null)
  useFinishOnLeave(() => {
    const typed = input.current?.value ?? title
    // Otherwise it was finished already, or given up, or nothing was typed.
    if (editor.state().renaming === node && typed !== title) finish(typed)
  })
  return (
    <input
      ref={input}
      className={`${classes.titleInput} nodrag`}
      aria-label="Title of the node"
      defaultValue={title}
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: whoever chose Rename wants to type.
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(event.currentTarget.value)
        if (event.key === 'Escape') editor.rename(undefined)
        // The canvas has shortcuts of its own for these keys.
        event.stopPropagation()
      }}
    />
  )
}
