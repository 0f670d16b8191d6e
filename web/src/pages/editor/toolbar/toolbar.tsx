import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronLeft,
  IconHistory,
  IconLayoutDashboard,
  IconListTree
} from '../../../design/icons/editor-icons.ts'
import { IconListDetails, IconMessages } from '../../../design/icons/page-icons.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { useArranging } from '../actions/use-arranging.ts'
import { AssistantButton } from '../assistant/assistant-button.tsx'
import { CommentsButton } from '../company/comments-button.tsx'
import { Others } from '../company/others.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { OUTLINE, showOutline } from '../outline/show-outline.tsx'
import { PlaygroundButton } from '../playground/playground-button.tsx'
import { PublishTools } from '../publish/publish-tools.tsx'
import { TOOLBAR_PARTS, TOOLBAR_PARTS_AT_TIMES } from '../registry/registered.ts'
import { RunState } from '../run/run-state.tsx'
import { SaveStatus } from '../save/save-status.tsx'
import { TestButton } from '../testing/test-button.tsx'
import { showVersions, VERSIONS } from '../versions/show-versions.tsx'
import { FlowName, FlowSettingsButton } from './flow-name.tsx'
import { ToolStrip } from './tool-strip.tsx'
import classes from './toolbar.module.css'

/** The flow's name and whether it is saved; what can be done with the whole of it. */
export function Toolbar() {
  const editor = useEditor()
  return (
    <header className={classes.toolbar}>
      <Tooltip label="All flows">
        <Link to="/flows" className={classes.back} aria-label="All flows">
          <IconChevronLeft size={18} aria-hidden />
        </Link>
      </Tooltip>
      <FlowName />
      <SaveStatus />
      {/* Before the tools: when a run comes, none of them moves away under a hand. */}
      <div className={classes.run}>
        <RunState />
      </div>
      <Others />
      <div className={classes.tools}>
        <ToolStrip>
          <Parts of={TOOLBAR_PARTS_AT_TIMES} />
          <AssistantButton />
          <UndoTools />
          <span className={classes.gap} />
          <PanelButton
            id={OUTLINE}
            title="List view"
            keys="l"
            Icon={IconListTree}
            onOpen={() => showOutline(editor)}
          />
          <PanelButton
            id={VERSIONS}
            title="Versions"
            keys="shift+h"
            Icon={IconHistory}
            onOpen={() => showVersions(editor)}
          />
          <CommentsButton />
          <span className={classes.gap} />
          <PlaceLink to={`/flows/${editor.flowId}/runs`} title="Runs" Icon={IconListDetails} />
          <PlaygroundPlace />
          <Parts of={TOOLBAR_PARTS} />
          <span className={classes.phone}>
            <FlowSettingsButton />
          </span>
        </ToolStrip>
        <span className={classes.gap} />
        <div className={classes.primary}>
          <TestButton />
          <PublishTools />
        </div>
      </div>
    </header>
  )
}

function Parts({ of }: { readonly of: readonly ComponentType[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed when the page is built.
  return of.map((Part, index) => <Part key={index} />)
}

/** Whoever may not edit has nothing to test: the Playground is on its page. */
function PlaygroundPlace() {
  const { flowId } = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  return isReadOnly ? (
    <PlaceLink to={`/flows/${flowId}/playground`} title="Playground" Icon={IconMessages} />
  ) : (
    <PlaygroundButton className={classes.place} />
  )
}

function UndoTools() {
  const editor = useEditor()
  const arranging = useArranging()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const undoes = useEditorState((state) => state.undoes)
  const redoes = useEditorState((state) => state.redoes)
  if (isReadOnly) return null
  return (
    <>
      <Tool
        title={undoes === undefined ? 'Undo' : `Undo: ${undoes}`}
        keys="mod+z"
        isOff={undoes === undefined}
        onClick={() => editor.undo()}
      >
        <IconArrowBackUp size={18} aria-hidden />
      </Tool>
      <Tool
        title={redoes === undefined ? 'Redo' : `Redo: ${redoes}`}
        keys="mod+shift+z"
        isOff={redoes === undefined}
        onClick={() => editor.redo()}
      >
        <IconArrowForwardUp size={18} aria-hidden />
      </Tool>
      <Tool title="Tidy" keys="shift+t" onClick={() => void arranging.tidy()}>
        <IconLayoutDashboard size={18} aria-hidden />
      </Tool>
    </>
  )
}

interface ToolProps {
  readonly title: string
  readonly keys: string
  readonly isOff?: boolean
  readonly onClick: () => void
  readonly children: React.ReactNode
}

function Tool({ title, keys, isOff = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={<WithKeys title={title} keys={keys} />}>
      {/* Not the attribute: a disabled button loses the focus that it has just been used with. */}
      <ActionIcon
        aria-label={title}
        aria-disabled={isOff || undefined}
        data-off={isOff || undefined}
        className={classes.tool!}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

interface PanelButtonProps {
  readonly id: string
  readonly title: string
  readonly keys: string
  readonly Icon: typeof IconHistory
  readonly onOpen: () => void
}

function PanelButton({ id, title, keys, Icon, onOpen }: PanelButtonProps) {
  const editor = useEditor()
  const isOpen = useEditorState(({ panel }) => panel?.id === id)
  return (
    <Tooltip label={<WithKeys title={title} keys={keys} />}>
      <ActionIcon
        aria-label={title}
        aria-pressed={isOpen}
        className={classes.tool!}
        onClick={() => (isOpen ? editor.closePanel() : onOpen())}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function PlaceLink({
  to,
  title,
  Icon
}: {
  readonly to: string
  readonly title: string
  readonly Icon: typeof IconHistory
}) {
  return (
    <Link to={to} className={classes.place} aria-label={title}>
      <Icon size={16} aria-hidden />
      <span>{title}</span>
    </Link>
  )
}

function WithKeys({ title, keys }: { readonly title: string; readonly keys: string }) {
  return (
    <span className={classes.withKeys}>
      {title} <KeyCaps keys={keys} />
    </span>
  )
}
