import { Menu, UnstyledButton } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Fault } from '../../../../../src/errors.ts'
import { useUndeleteFlow } from '../../../api/flows.ts'
import { counted } from '../../../design/counted.ts'
import { IconGitMerge } from '../../../design/icons/canvas-icons.ts'
import {
  IconCloudCheck,
  IconCloudOff,
  IconCloudUp,
  IconTrashOff
} from '../../../design/icons/editor-icons.ts'
import { IconAlertTriangle, IconEye } from '../../../design/icons/page-icons.ts'
import { notifyProblem } from '../../../design/notify.tsx'
import { equalJson } from '../../../editor/graph/equal-json.ts'
import { isAnythingLive, liveInWords } from '../../../editor/graph/live-standing.ts'
import { judgementOf, type SaveState, statusOf } from '../../../editor/save/save-state.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { useSaving } from '../session/saving-context.ts'
import { useShownNames } from '../session/use-shown-names.ts'
import { showFlowSettings } from '../settings/show-flow-settings.tsx'
import { nodeOfFault } from './node-of-fault.ts'
import classes from './save.module.css'
import { showConflicts } from './show-conflicts.tsx'

/** Whether the work is safe, in a word or two; what is in its way opens from here. */
export function SaveStatus() {
  const save = useEditorState((state) => state.save)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const { isDeleted } = useSaving()
  if (isReadOnly) return <ReadOnly isDeleted={isDeleted} />
  if (save === undefined) return null
  return (
    <div className={classes.status} role="status" aria-label="Saving">
      {isDeleted ? <Deleted /> : <Status save={save} />}
    </div>
  )
}

function ReadOnly({ isDeleted }: { readonly isDeleted: boolean }) {
  return isDeleted ? (
    <StatusText
      Icon={IconTrashOff}
      text="Deleted meanwhile"
      title="Someone deleted this flow."
      tone="caution"
    />
  ) : (
    <StatusText Icon={IconEye} text="Read only" title="Your key may not change flows." />
  )
}

function Status({ save }: { readonly save: SaveState }) {
  const editor = useEditor()
  switch (statusOf(save)) {
    case 'clean':
      return <Saved save={save} />
    case 'dirty':
    case 'saving':
      return <StatusText Icon={IconCloudUp} text="Saving…" />
    case 'offline':
      return (
        <StatusText
          Icon={IconCloudOff}
          text="Unsaved: offline"
          tone="caution"
          title={`${save.trouble ?? ''} Your work is kept in this browser and saved when the service answers.`.trim()}
        />
      )
    case 'conflict': {
      const left = save.conflicts.filter(({ choice }) => choice === undefined).length
      return (
        <UnstyledButton className={classes.button} data-tone="wrong" onClick={() => showConflicts(editor)}>
          <IconGitMerge size={16} aria-hidden /> <span>Conflict: {left} to decide</span>
        </UnstyledButton>
      )
    }
    case 'invalid':
      return save.refused!.problem.code === 'flow_not_found' ? <Deleted /> : <Refused save={save} />
  }
}

interface StatusTextProps {
  readonly Icon: typeof IconEye
  readonly text: string
  readonly title?: string
  readonly tone?: 'caution'
}

function StatusText({ Icon, text, title, tone }: StatusTextProps) {
  return (
    <span className={classes.message} data-tone={tone} title={title}>
      <Icon size={16} aria-hidden /> <span>{text}</span>
    </span>
  )
}

/** Somebody deleted the flow under the hands of who edits it. The work is here still, and can have its flow back. */
function Deleted() {
  const { flowId } = useEditor()
  const saving = useSaving()
  const undelete = useUndeleteFlow()
  // Not with callbacks of `mutate`: they are dropped with this button, which goes as soon as the flow is back.
  const bringBack = () => void undelete.mutateAsync(flowId).then(saving.flush, notifyProblem)
  return (
    <UnstyledButton
      className={classes.button}
      data-tone="wrong"
      title="Someone deleted this flow. Your work is kept in this browser."
      onClick={bringBack}
    >
      <IconTrashOff size={16} aria-hidden /> <span>Deleted meanwhile: bring it back</span>
    </UnstyledButton>
  )
}

/** The draft is at the service; what differs from it is live still. */
function Saved({ save }: { readonly save: SaveState }) {
  const live = useEditorState((state) => state.live)
  const { revision, warnings } = save.base.standing
  const untouched = useEditorState((state) => state.untouched)
  const { document } = save.base
  const faults = save.base.standing.faults.filter(
    (fault) => !untouched.has(nodeOfFault(fault, document) ?? '')
  )
  const isLive = useMemo(() => equalJson(save.base.document, live.document), [save.base, live])
  if (!isAnythingLive(live.document) && (revision === 0 || isLive)) {
    return <StatusText Icon={IconCloudCheck} text="Nothing is live yet" title="The flow is blank." />
  }
  if (revision === 0) {
    const title = liveInWords(live)
    return <StatusText Icon={IconCloudCheck} text={`Published · v${live.version}`} title={title} />
  }
  if (isLive) {
    const title = `Draft ${revision} is the same as version ${live.version}, which is live`
    return <StatusText Icon={IconCloudCheck} text={`Published · v${live.version}`} title={title} />
  }
  const title = `Draft ${revision}. ${liveInWords(live)}${isAnythingLive(live.document) ? ' until you publish' : ''}`
  if (faults.length > 0) {
    return (
      <FaultMenu
        save={save}
        faults={faults}
        title={title}
        text={`Draft saved · ${counted(faults.length, 'problem')}`}
      />
    )
  }
  const text = warnings.length === 0 ? 'Draft saved' : `Draft saved · ${counted(warnings.length, 'warning')}`
  return warnings.length === 0 ? (
    <StatusText Icon={IconCloudCheck} text={text} title={title} />
  ) : (
    <FaultMenu save={save} faults={warnings} title={title} text={text} tone="caution" />
  )
}

/** Not even the draft could be saved. */
function Refused({ save }: { readonly save: SaveState }) {
  const { faults } = save.refused!.problem
  const text = faults.length === 0 ? 'Not saved' : `Not saved · ${counted(faults.length, 'problem')}`
  return <FaultMenu save={save} faults={faults} text={text} />
}

interface FaultMenuProps {
  readonly save: SaveState
  readonly faults: readonly Fault[]
  readonly text: string
  readonly title?: string
  readonly tone?: 'wrong' | 'caution'
}

/** What the service found wrong, each with the way to it. */
function FaultMenu({ save, faults, text, title, tone = 'wrong' }: FaultMenuProps) {
  const editor = useEditor()
  const names = useShownNames()
  /** The focus went to what is wrong: the menu must not fetch it back to its button. */
  const [hasLed, setHasLed] = useState(false)
  const goTo = (fault: Fault) => {
    const node = nodeOfFault(fault, judgementOf(save).document)
    if (node === undefined) return showFlowSettings(editor)
    setHasLed(true)
    editor.goTo(node)
  }
  return (
    <Menu
      position="bottom-start"
      width={420}
      transitionProps={{ duration: 0 }}
      returnFocus={!hasLed}
      onOpen={() => setHasLed(false)}
    >
      <Menu.Target>
        <UnstyledButton className={classes.button} data-tone={tone} title={title}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>{text}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {faults.length === 0 && (
          <Menu.Item className={classes.fault!} onClick={() => showFlowSettings(editor)}>
            {save.refused?.problem.message}
          </Menu.Item>
        )}
        {faults.slice(0, 20).map((fault) => (
          <Menu.Item
            key={`${fault.path} ${fault.message}`}
            className={classes.fault!}
            onClick={() => goTo(fault)}
          >
            {names.fault(fault)}
          </Menu.Item>
        ))}
        {faults.length > 20 && <Menu.Label>and {faults.length - 20} more</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
