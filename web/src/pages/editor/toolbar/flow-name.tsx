import { ActionIcon, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { words } from '../../../../../src/flows/template/plain-words.ts'
import { IconSettings } from '../../../design/icons/page-icons.ts'
import { useDrawnFlow, useEditor, useEditorState } from '../editor-context.ts'
import { useFinishOnLeave } from '../fields/use-finish-on-leave.ts'
import { FLOW_SETTINGS, showFlowSettings } from '../settings/show-flow-settings.tsx'
import classes from './toolbar.module.css'

/** The name of the flow, which can be typed over, and its settings. */
export function FlowName() {
  const editor = useEditor()
  const name = useDrawnFlow((flow) => flow.name)
  const context = useDrawnFlow((flow) => flow.context)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const [draft, setDraft] = useState<string | undefined>()
  useEffect(() => {
    document.title = words`${name} · Millrace`
  }, [name])
  const finish = () => {
    const text = draft?.trim() ?? ''
    setDraft(undefined)
    if (text !== '') editor.execute({ kind: 'change-flow', changes: { name: text } })
  }
  useFinishOnLeave(finish)
  return (
    <div className={classes.name}>
      <h1 className="visually-hidden">{name}</h1>
      <input
        className={classes.nameInput}
        aria-label="Name of the flow"
        value={draft ?? name}
        size={Math.min(40, Math.max(8, (draft ?? name).length))}
        maxLength={200}
        readOnly={isReadOnly}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key !== 'Escape') return
          setDraft(undefined)
          requestAnimationFrame(() => (event.target as HTMLElement).blur())
        }}
      />
      {context !== '/' && (
        <span className={classes.context} title="The context that the flow lives in">
          {context}
        </span>
      )}
      <FlowSettingsButton />
    </div>
  )
}

export function FlowSettingsButton() {
  const editor = useEditor()
  const isOpen = useEditorState(({ panel }) => panel?.id === FLOW_SETTINGS)
  return (
    <Tooltip label="Settings of the flow">
      <ActionIcon
        aria-label="Settings of the flow"
        aria-pressed={isOpen}
        className={`${classes.tool} ${classes.settings}`}
        onClick={() => (isOpen ? editor.closePanel() : showFlowSettings(editor))}
      >
        <IconSettings size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
