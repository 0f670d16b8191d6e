import { Button, Modal } from '@mantine/core'
import { useMemo, useState } from 'react'
import { IconArrowsDiagonal } from '../../../../design/icons/canvas-icons.ts'
import { IconPlayerPlay } from '../../../../design/icons/page-icons.ts'
import { errorPlace } from '../../../../editor/code/error-place.ts'
import { KeyCaps } from '../../../../shell/key-caps.tsx'
import { useEditorState, useNodeRun } from '../../editor-context.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { PreviewOrigin } from '../template/template-preview.tsx'
import classes from './code.module.css'
import { CodeEditor } from './code-editor.tsx'
import { CodeResult } from './code-result.tsx'
import { OwnInput } from './own-input.tsx'
import { useCodeInput } from './use-code-input.ts'
import { useCodeTrial } from './use-code-trial.ts'
import type { Trial } from './use-trial.ts'

/** Code or an expression, with what comes of it: in its field, or with room in a dialog. */
export function CodeField(props: FieldPartProps) {
  const { node, name, field, faultList, isReadOnly } = props
  const [size, setSize] = useState<'field' | 'large' | 'field again'>('field')
  const isLarge = size === 'large'
  const language = field.kind === 'text' ? (field.language ?? 'javascript') : 'javascript'
  const isLive = language === 'jsonata'
  const value = String(props.value)
  const input = useCodeInput(node.id, name)
  const trial = useCodeTrial({ node, name, value, input, isLive })
  const failedWith = useRunError(node.id)
  const message =
    trial.trial === undefined ? failedWith : trial.trial.source === value ? messageOf(trial.trial) : undefined
  const error = useMemo(
    () => (message === undefined ? undefined : errorPlace(message, value)),
    [message, value]
  )
  const canRun = trial.refusal === undefined && input.data !== undefined
  const run = () => {
    if (canRun) trial.run(value)
  }
  const bench = (
    <div
      className={classes.editor}
      data-large={isLarge || undefined}
      // Where it cannot be run alone, the keys test the flow; not while its sample input is half written.
      data-runs-itself={trial.refusal === undefined || undefined}
    >
      <div className={classes.code}>
        <CodeEditor
          language={language}
          value={value}
          onChange={props.onChange}
          label={field.title}
          describedBy={isLarge ? '' : props.describedBy}
          readOnly={isReadOnly}
          height={isLarge ? largeHeight() : 120}
          data={input.data}
          error={error}
          onRun={run}
          // Who comes back from the large view goes on here.
          takesFocus={size !== 'field'}
        />
        {faultList}
        <div className={classes.tools}>
          <RunButton isDisabled={!canRun} onClick={run} />
          {!isLarge && <EnlargeButton onClick={() => setSize('large')} />}
          {!input.isOwn && input.data !== undefined && <PreviewOrigin sample={input.sample} />}
        </div>
        {trial.refusal === undefined && <OwnInput input={input} onRun={run} />}
      </div>
      <CodeResult
        trial={trial}
        value={value}
        hint={isLive ? 'It appears as you type.' : 'Run it to see the result.'}
      />
    </div>
  )
  if (!isLarge) return bench
  return (
    <>
      <p className={classes.quiet}>It is open in the large view.</p>
      <LargeView title={`${field.title} of ${node.title ?? node.id}`} onClose={() => setSize('field again')}>
        {bench}
      </LargeView>
    </>
  )
}

/** Most of the window; where the result stands below it, both are to be in sight. */
function largeHeight(): number {
  return Math.round(window.innerHeight * (window.innerWidth > 720 ? 0.6 : 0.33))
}

function RunButton({ isDisabled, onClick }: { readonly isDisabled: boolean; readonly onClick: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconPlayerPlay size={14} aria-hidden />}
      rightSection={
        <span className={classes.keys}>
          <KeyCaps keys="mod+enter" />
        </span>
      }
      disabled={isDisabled}
      title="Uses what is pinned before it, or its last input. Nothing is stored, and no other node runs."
      onClick={onClick}
    >
      Run
    </Button>
  )
}

function EnlargeButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconArrowsDiagonal size={14} aria-hidden />}
      onClick={onClick}
    >
      Enlarge
    </Button>
  )
}

interface LargeViewProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: React.ReactNode
}

function LargeView({ title, onClose, children }: LargeViewProps) {
  // Escape closes what is offered before it closes the dialog, and the inspector around it hears of neither. Tab is the
  // dialog's, which keeps it inside.
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Tab') event.stopPropagation()
    if (event.key === 'Escape' && !event.defaultPrevented) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="min(1280px, 96vw)"
      closeOnEscape={false}
      onKeyDown={onKeyDown}
    >
      {children}
    </Modal>
  )
}

/** What the node failed with in the shown run, while it is drawn as it ran there. */
function useRunError(node: string): string | undefined {
  const isEdited = useEditorState(({ edited }) => edited.nodes.has(node))
  const message = useNodeRun(node)?.error?.message
  return isEdited ? undefined : message
}

function messageOf({ tried, problem }: Trial): string | undefined {
  return problem ?? tried?.error?.message
}
