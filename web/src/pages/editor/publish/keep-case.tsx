import { Button, Menu } from '@mantine/core'
import { type Expectation, useChangeExpectations } from '../../../api/expectations.ts'
import type { RehearsalCase } from '../../../api/rehearsals.ts'
import { notifyDone, notifyProblem } from '../../../design/notify.tsx'
import { useEditor } from '../editor-context.ts'

/** Makes a case something that every publish is held against. */
export function KeepCase({ of: { run_id, verdict } }: { readonly of: RehearsalCase }) {
  const { keep } = useChangeExpectations(useEditor().flowId)
  const keepAs = (of: Expectation['of']) =>
    keep.mutate({ run_id, of }, { onSuccess: () => notifyDone(KEPT), onError: notifyProblem })
  const button = { size: 'compact-xs', variant: 'light', w: 'fit-content', loading: keep.isPending } as const
  // Both are the same, or what the draft does is not known.
  if (verdict === 'same' || verdict === 'unknown') {
    return (
      <Button {...button} onClick={() => keepAs('then')}>
        Keep as an expectation
      </Button>
    )
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button {...button}>Keep as an expectation</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => keepAs('then')}>It should do what it did then</Menu.Item>
        <Menu.Item onClick={() => keepAs('now')}>It should do what the draft does</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const KEPT = 'Kept: every publish is held against it.'
