import { useRef } from 'react'
import { useRunTexts } from '../../../api/live.ts'
import { counted } from '../../../design/counted.ts'
import { IconChevronDown, IconChevronRight, IconDots } from '../../../design/icons/page-icons.ts'
import type { Flow, Node } from '../../../editor/graph/flow.ts'
import { hueOf } from '../components/categories.ts'
import { ComponentIcon } from '../components/component-icon.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { useFinishOnLeave } from '../fields/use-finish-on-leave.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { MainFields } from '../lazy-tools.tsx'
import { summaryOf } from '../registry/node-summary.ts'
import { useNodeMenu } from '../session/node-menu-context.ts'
import classes from './node-head.module.css'
import { titleOf } from './node-words.ts'
import { tailOf } from './value-preview.ts'

/** Icon, title, and the one line that matters; the node is dragged by it. */
export function NodeHead({ drawn }: { readonly drawn: DrawnNode }) {
  const { node, component } = drawn
  const openMenu = useNodeMenu()
  const isRenaming = useEditorState(({ renaming }) => renaming === node.id)
  const title = titleOf(drawn)
  return (
    <header className={classes.head}>
      <span className={classes.icon} data-picture data-category={hueOf(component?.category)}>
        <ComponentIcon name={component?.icon} size={20} />
      </span>
      <div className={classes.names}>
        {isRenaming ? (
          <TitleInput node={node.id} title={title} fallback={component?.title ?? node.type} />
        ) : (
          <span className={classes.title}>{title}</span>
        )}
        <NodeLine drawn={drawn} />
      </div>
      {component?.region != null && <FoldButton node={node} title={title} />}
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

/** Hides what stands in a region, and shows it again. */
function FoldButton({ node, title }: { readonly node: Node; readonly title: string }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const { word, changes, icon: Icon } = node.collapsed === true ? EXPAND : COLLAPSE
  if (isReadOnly) return null
  return (
    <button
      type="button"
      className={`${classes.foldButton} nodrag`}
      aria-label={`${word} ${title}, ${node.id}`}
      title={word}
      onClick={() => editor.execute({ kind: 'change-node', node: node.id, changes })}
    >
      <Icon size={16} aria-hidden />
    </button>
  )
}

const EXPAND = { word: 'Expand', changes: { collapsed: null }, icon: IconChevronRight } as const
const COLLAPSE = { word: 'Collapse', changes: { collapsed: true }, icon: IconChevronDown } as const

/** What the node is about, or what its step says while it works. */
function NodeLine({ drawn }: { readonly drawn: DrawnNode }) {
  const { node, component } = drawn
  const runId = useEditorState(({ run }) => run?.id ?? '')
  const said = useRunTexts(runId).get(node.id)
  const summary = useEditorState(({ live }) =>
    component === undefined ? `Unknown component ${node.type}` : summaryOf(node, component, live.document)
  )
  const inside = useEditorState(({ flow }) => (node.collapsed === true ? countInside(flow, node.id) : 0))
  const isEdited = useEditorState(
    ({ isReadOnly, selection: { parts } }) => !isReadOnly && parts.size === 1 && parts.has(node.id)
  )
  const text = said === undefined ? `${insideWords(inside)}${summary}` : tailOf(said)
  const line = (
    <span className={classes.line} data-said={said !== undefined || undefined} title={text}>
      {text}
    </span>
  )
  if (!isEdited) return line
  return (
    <MainFields drawn={drawn} hasNews={said !== undefined || inside > 0} fallback={line}>
      {line}
    </MainFields>
  )
}

function countInside({ nodes }: Flow, region: string): number {
  return nodes.filter(({ parent }) => parent === region).length
}

function insideWords(count: number): string {
  return count === 0 ? '' : `${counted(count, 'node')} · `
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
    editor.execute({
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
