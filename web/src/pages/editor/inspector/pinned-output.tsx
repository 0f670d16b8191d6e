import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { nodeDigest } from '../../../../../src/flows/document/node-digest.ts'
import { isPlainObject, jsonIn } from '../../../../../src/flows/json/exact-json.ts'
import type { Outputs, Pin } from '../../../api/pins.ts'
import { IconPin, IconPinOff } from '../../../design/icons/editor-icons.ts'
import { JsonEditor } from '../../../design/json-editor/json-editor.tsx'
import { RelativeTime } from '../../../design/relative-time.tsx'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import type { Pinning } from '../pins/use-pinning.ts'
import { textOfPayload } from '../testing/payload-text.ts'
import classes from './inspector.module.css'

interface PinnedOutputProps {
  readonly drawn: DrawnNode
  readonly pin: Pin
  readonly pinning: Pinning
}

/** What tests take for the outputs of the node; it can be written by hand. */
export function PinnedOutput({ drawn: { node }, pin, pinning }: PinnedOutputProps) {
  const isStale = nodeDigest(node) !== pin.made_of
  return (
    <section className={classes.pinned} aria-label="Pinned output">
      <p className={classes.source}>
        <IconPin size={14} aria-hidden /> Pinned <RelativeTime at={pin.updated_at} />
        {pin.author !== null && ` by ${pin.author}`}. Tests use this, and do not run the node.
      </p>
      {isStale && (
        <p className={classes.older}>
          The settings have changed since, so this may be stale. Run the step, and pin its output.
        </p>
      )}
      <OutputsText
        key={pin.updated_at}
        outputs={pin.outputs}
        label={`Pinned output of ${node.id}, as JSON`}
        action="Save the pin"
        pinning={pinning}
        onSave={(outputs) => pinning.pin(node.id, outputs)}
      >
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPinOff size={14} aria-hidden />}
          loading={pinning.isBusy}
          onClick={() => void pinning.unpin(node.id)}
        >
          Unpin
        </Button>
      </OutputsText>
    </section>
  )
}

interface UnpinnedOutputProps extends Omit<PinnedOutputProps, 'pin'> {
  readonly onClose: () => void
}

/** An output that no run has given yet, to be written by hand. */
export function WrittenOutput({ drawn: { node, outputs }, pinning, onClose }: UnpinnedOutputProps) {
  // What a region gives its inside is no output of its step.
  const own = outputs.filter(({ isInside }) => isInside !== true)
  const empty = Object.fromEntries(own.map(({ name }) => [name, null]))
  return (
    <section className={classes.pinned} aria-label="Output to be pinned">
      <p className={classes.source}>
        No run has given this node an output yet. Write what tests should use, for each output; one that you
        leave out is silent.
      </p>
      <OutputsText
        outputs={empty}
        label={`Output of ${node.id} to be pinned, as JSON`}
        action="Pin"
        isNew
        pinning={pinning}
        onSave={async (written) => {
          const isPinned = await pinning.pin(node.id, written)
          if (isPinned) onClose()
          return isPinned
        }}
      >
        <Button size="xs" variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </OutputsText>
    </section>
  )
}

interface OutputsTextProps {
  readonly outputs: Outputs
  readonly label: string
  readonly action: string
  /** It can be saved as it is. */
  readonly isNew?: boolean
  readonly pinning: Pinning
  readonly onSave: (outputs: Outputs) => Promise<boolean>
  readonly children: React.ReactNode
}

function OutputsText({ outputs, label, action, isNew = false, pinning, onSave, children }: OutputsTextProps) {
  const saved = textOfPayload(outputs)
  const [text, setText] = useState(saved)
  const written = outputsIn(text)
  const hint = useId()
  return (
    <>
      <JsonEditor value={text} onChange={setText} label={label} height={112} />
      {written === undefined && (
        <p id={hint} className={classes.quiet}>
          {'Write an object with a value for each output, as in {"data": …}.'}
        </p>
      )}
      <div className={classes.buttons}>
        {(isNew || text !== saved) && (
          <Button
            size="xs"
            leftSection={<IconPin size={14} aria-hidden />}
            disabled={written === undefined}
            aria-describedby={written === undefined ? hint : undefined}
            loading={pinning.isBusy}
            onClick={() => void onSave(written!)}
          >
            {action}
          </Button>
        )}
        {children}
      </div>
    </>
  )
}

/** Undefined while the text is not an object in JSON. */
function outputsIn(text: string): Outputs | undefined {
  const read = jsonIn(text)
  return isPlainObject(read) ? (read as Outputs) : undefined
}
