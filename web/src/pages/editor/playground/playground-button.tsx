import { Tooltip } from '@mantine/core'
import { IconMessages } from '../../../design/icons/page-icons.ts'
import { useCommands } from '../../../shell/commands.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { usePlaygroundDock } from './use-playground-dock.ts'

const KEYS = 'p'
const TIP = { display: 'inline-flex', alignItems: 'center', gap: 'var(--space-2)' }

/** Opens and closes the Playground beside the canvas. */
export function PlaygroundButton({ className }: { readonly className: string | undefined }) {
  const { isOpen, toggle } = usePlaygroundDock()
  useCommands([
    { id: 'flow.playground', title: 'Playground', group: 'Flow', keys: KEYS, icon: IconMessages, run: toggle }
  ])
  return (
    <Tooltip
      label={
        <span style={TIP}>
          Talk to the draft beside the canvas <KeyCaps keys={KEYS} />
        </span>
      }
    >
      <button
        type="button"
        className={className}
        aria-label="Playground"
        aria-pressed={isOpen}
        onClick={toggle}
      >
        <IconMessages size={16} aria-hidden />
        <span>Playground</span>
      </button>
    </Tooltip>
  )
}
