import { Button, Menu, Popover, Tooltip } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ProblemFault } from '../../../api/problem.ts'
import { useMay } from '../../../api/session.ts'
import { IconArrowBarToRight, IconEar } from '../../../design/icons/editor-icons.ts'
import {
  IconAlertTriangle,
  IconChevronDown,
  IconEdit,
  IconFlask,
  IconPlayerStop
} from '../../../design/icons/page-icons.ts'
import { notifyRefusal } from '../../../design/notify.tsx'
import { useCommands } from '../../../shell/commands.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { onlyNode } from '../pins/only-node.ts'
import { nodeOfFault } from '../save/node-of-fault.ts'
import { useHasChanges } from '../save/use-has-changes.ts'
import { useEditorSession } from '../session/session-context.ts'
import { useTesting } from '../session/testing-context.ts'
import { useShownNames } from '../session/use-shown-names.ts'
import classes from './test-button.module.css'
import { startOf } from './webhook-of.ts'

const KEYS = 'mod+enter'
const UP_TO_KEYS = 'mod+shift+enter'

/** The one thing to do with a flow that is being drawn: try it out. */
export function TestButton() {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const mayTrigger = useMay('trigger')
  return isReadOnly || !mayTrigger ? null : <Offered />
}

function Offered() {
  const testing = useTesting()
  const { isArmed, stop } = testing.listening
  const session = useEditorSession()
  const testUpTo = () => {
    const node = onlyNode(session.state())
    if (node === undefined) return notifyRefusal('Not run', 'Select the node where the test should end.')
    session.inspect(session.state().inspector === 'wide' ? 'wide' : 'side')
    void testing.test(undefined, node)
  }
  useTestKey((isUpTo) => (isUpTo ? testUpTo() : void testing.test()))
  useCommands([
    {
      id: 'flow.test',
      title: 'Test',
      group: 'Flow',
      keys: KEYS,
      icon: IconFlask,
      keywords: 'run try draft',
      isHandledElsewhere: true,
      run: () => void testing.test()
    },
    {
      id: 'flow.test-up-to',
      title: 'Run up to the selected node',
      group: 'Flow',
      keys: UP_TO_KEYS,
      icon: IconArrowBarToRight,
      keywords: 'test step here partial',
      isHandledElsewhere: true,
      run: testUpTo
    },
    {
      id: 'flow.payload',
      title: 'Edit the payload of the test',
      group: 'Flow',
      icon: IconEdit,
      run: testing.openPayload
    }
  ])
  if (isArmed) {
    return (
      <Button
        size="compact-sm"
        variant="light"
        className={classes.listening!}
        leftSection={<IconPlayerStop size={15} aria-hidden />}
        onClick={stop}
      >
        Listening…
        <span className="visually-hidden"> Stop</span>
      </Button>
    )
  }
  return (
    <Popover
      opened={testing.refusal !== undefined}
      onDismiss={testing.forget}
      position="bottom-end"
      width={360}
      transitionProps={{ duration: 0 }}
      // It tells something, and is no dialog that the button opens.
      withRoles={false}
    >
      <Popover.Target>
        <div className={classes.split}>
          <TestParts />
        </div>
      </Popover.Target>
      <Popover.Dropdown>
        <Refusal />
      </Popover.Dropdown>
    </Popover>
  )
}

/** What runs something of its own by these keys: the panel of the payload tests with what it holds, Code runs its code. */
const OWN_RUN = '[data-place="below"], [data-runs-itself]'

/** Also in editors, which would begin a new line with it. */
function useTestKey(test: (isUpTo: boolean) => void): void {
  const latest = useRef(test)
  useEffect(() => {
    latest.current = test
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isMeant = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing
      if (!isMeant || document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return
      if (event.target instanceof Element && event.target.closest(OWN_RUN) !== null) return
      event.preventDefault()
      event.stopPropagation()
      latest.current(event.shiftKey)
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [])
}

function TestParts() {
  const testing = useTesting()
  const hasChanges = useHasChanges()
  const takesRequests = useEditorState(({ flow }) => startOf(flow) !== undefined)
  const variant = hasChanges ? 'light' : 'filled'
  return (
    <>
      <Tooltip
        label={
          <span className={classes.tip}>
            Runs what you see, with the last payload <KeyCaps keys={KEYS} />
          </span>
        }
      >
        <Button
          size="compact-sm"
          variant={variant}
          className={classes.test!}
          loading={testing.isBusy}
          leftSection={<IconFlask size={15} aria-hidden />}
          onClick={() => void testing.test()}
        >
          Test
        </Button>
      </Tooltip>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant={variant}
            className={classes.more!}
            aria-label="Other ways to test"
          >
            <IconChevronDown size={15} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconEdit size={15} aria-hidden />} onClick={testing.openPayload}>
            Edit the payload…
          </Menu.Item>
          {takesRequests && (
            <Menu.Item
              leftSection={<IconEar size={15} aria-hidden />}
              onClick={() => void testing.listening.listen()}
            >
              Listen for a request
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

/** Why it was not tested; each fault leads to its node. */
function Refusal() {
  const editor = useEditor()
  const names = useShownNames()
  const { refusal, forget } = useTesting()
  if (refusal === undefined) return null
  const lead = (fault: ProblemFault) => {
    const node = nodeOfFault(fault, editor.state().flow)
    forget()
    if (node !== undefined) editor.goTo(node)
    editor.inspect('side')
  }
  return (
    <div role="alert" className={classes.refusal}>
      <p className={classes.refusalTitle}>
        <IconAlertTriangle size={15} aria-hidden />
        {refusal.errors.length === 0
          ? refusal.detail
          : `${refusal.errors.length === 1 ? 'A problem keeps' : `${refusal.errors.length} problems keep`} this from being tested:`}
      </p>
      {refusal.errors.slice(0, 8).map((fault) => (
        <button
          key={`${fault.path} ${fault.message}`}
          type="button"
          className={classes.fault}
          onClick={() => lead(fault)}
        >
          {names.fault(fault)}
        </button>
      ))}
    </div>
  )
}
