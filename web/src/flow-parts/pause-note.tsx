import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useFlow } from '../api/flows.ts'
import { useHeldRuns } from '../api/held-runs.ts'
import { useMay } from '../api/session.ts'
import type { Flow, Pause } from '../api/shapes.ts'
import { IconPlayerPause } from '../design/icons/page-icons.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import { pausedWords } from './action-words.ts'
import classes from './pause-note.module.css'
import { useFlowActions } from './use-flow-actions.ts'

const PauseDialog = lazy(async () => ({ default: (await import('./pause-dialog.tsx')).PauseDialog }))

/** What a flow is and holds while it is paused; nothing where it is not. */
export function PauseNote({ flowId, isBar = false }: { readonly flowId: string; readonly isBar?: boolean }) {
  const { data: flow } = useFlow(flowId)
  return flow?.paused ? <Note flow={flow} paused={flow.paused} isBar={isBar} /> : null
}

interface NoteProps {
  readonly flow: Flow
  readonly paused: Pause
  readonly isBar: boolean
}

function Note({ flow, paused, isBar }: NoteProps) {
  const [ids] = useState(() => new Set([flow.id]))
  const held = useHeldRuns(ids).get(flow.id) ?? 0
  const mayWrite = useMay('write')
  const actions = useFlowActions()
  // Where the bar stands too, one landmark is enough.
  const Frame = isBar ? 'section' : 'div'
  return (
    <Frame className={isBar ? classes.bar : classes.note} {...(isBar && { 'aria-label': 'Paused' })}>
      <IconPlayerPause size={16} aria-hidden />
      <div className={classes.message}>
        <strong>Paused</strong> <RelativeTime at={paused.since} /> by {paused.by}.{' '}
        <span role="status">{pausedWords(paused.mode, held)}</span>
      </div>
      {mayWrite && (
        <div className={classes.actions}>
          <PauseButton flow={flow} label="Change" />
          <Button size="compact-sm" onClick={() => void actions.resume([flow])}>
            Resume
          </Button>
        </div>
      )}
    </Frame>
  )
}

/** Pauses a flow, or changes how it is paused, after a question. */
export function PauseButton({ flow, label = 'Pause…' }: { readonly flow: Flow; readonly label?: string }) {
  const [isOpen, setOpen] = useState(false)
  const actions = useFlowActions()
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <PauseDialog
            flows={[flow]}
            mode={flow.paused?.mode}
            onPause={(mode) => actions.pause([flow], mode)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** For rows of a list. */
export function PausedBadge({ paused, held }: { readonly paused: Pause; readonly held: number }) {
  return (
    <span className={classes.badge} title={pausedWords(paused.mode, held)}>
      <IconPlayerPause size={12} aria-hidden />
      Paused{held > 0 && `, ${held.toLocaleString()} held`}
    </span>
  )
}
