import { ActionIcon } from '@mantine/core'
import type { RefObject } from 'react'
import { useMay } from '../../api/session.ts'
import type { ListedFlow } from '../../api/shapes.ts'
import { IconPlayerPause, IconPlayerPlay } from '../../design/icons/page-icons.ts'
import type { OpenDialog } from './open-dialog.ts'
import type { RowHandlers } from './row-handlers.ts'

interface FlowSwitchProps {
  readonly flow: ListedFlow
  readonly handlers: RefObject<RowHandlers>
  readonly onDialog: OpenDialog
}

/** Off and on again. How it is off, holding or refusing what comes, is asked. */
export function FlowSwitch({ flow, handlers, onDialog }: FlowSwitchProps) {
  const mayWrite = useMay('write')
  if (!mayWrite) return null
  const [verb, Picture] = flow.paused
    ? (['Resume', IconPlayerPlay] as const)
    : (['Pause', IconPlayerPause] as const)
  const change = () =>
    flow.paused ? void handlers.current.actions.resume([flow]) : onDialog({ kind: 'pause', flows: [flow] })
  return (
    <ActionIcon aria-label={`${verb} ${flow.name}`} title={verb} onClick={change}>
      <Picture size={16} aria-hidden />
    </ActionIcon>
  )
}
