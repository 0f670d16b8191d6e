import { Button } from '@mantine/core'
import { useState } from 'react'
import { problemOf } from '../../../api/problem.ts'
import { type TriedNode, useRunNode } from '../../../api/run-node.ts'
import { useMay } from '../../../api/session.ts'
import { duration } from '../../../design/format-time.ts'
import { IconArrowBarToRight, IconPin } from '../../../design/icons/editor-icons.ts'
import { IconPlayerPlay } from '../../../design/icons/page-icons.ts'
import { notifyProblem } from '../../../design/notify.tsx'
import { equalJson } from '../../../editor/graph/equal-json.ts'
import { useEditor, useEditorState, usePin } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { PortValue } from '../node-parts/output/port-value.tsx'
import { usePinning } from '../pins/use-pinning.ts'
import { whenSaved } from '../save/when-saved.ts'
import { useSaving } from '../session/saving-context.ts'
import { useTesting } from '../session/testing-context.ts'
import classes from './inspector.module.css'
import { NodeLog } from './node-log.tsx'
import { PinnedOutput, WrittenOutput } from './pinned-output.tsx'

/** What can be tried with this node alone, or up to it, and what tests take in its place. */
export function RunStep({ drawn }: { readonly drawn: DrawnNode }) {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const mayTrigger = useMay('trigger')
  return isReadOnly || !mayTrigger ? null : <Offered drawn={drawn} />
}

/** What comes of a step that is run by itself is seen here and kept nowhere, unless it is pinned. */
function Offered({ drawn }: { readonly drawn: DrawnNode }) {
  const { node } = drawn
  const editor = useEditor()
  const saving = useSaving()
  const testing = useTesting()
  const pinning = usePinning()
  const pin = usePin(node.id)
  const [isWriting, setWriting] = useState(false)
  const tried = useRunNode(editor.flowId, node.id)
  const pinLast = async () => {
    const outputs = triedOutputs ?? (await pinning.lastOutputs(node.id))
    if (outputs === undefined) setWriting(true)
    else await pinning.pin(node.id, outputs)
  }
  const triedOutputs = tried.data?.outputs ?? undefined
  // Of a pinned node, what was tried since can take the place of the pin.
  const isOther = triedOutputs !== undefined && !equalJson(triedOutputs, pin?.outputs)
  const isPinOffered = drawn.outputs.length > 0 && (pin === undefined || isOther)
  return (
    <div className={classes.trial} data-tried={tried.data?.status}>
      <div className={classes.buttons}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={tried.isPending}
          title="Uses what is pinned before it, or its last input. Nothing is stored, and no other node runs."
          onClick={() => tried.mutate(() => whenSaved(editor, saving))}
        >
          Run this step
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowBarToRight size={14} aria-hidden />}
          loading={testing.isBusy}
          title="Tests this node and all nodes before it; nothing after it runs."
          onClick={() => void testing.test(undefined, node.id)}
        >
          Run up to here
        </Button>
        {isPinOffered && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPin size={14} aria-hidden />}
            loading={pinning.isBusy}
            aria-label={pin === undefined ? 'Pin output' : undefined}
            title="Tests use this output from now on, and do not run the node."
            onClick={() => void pinLast().catch(notifyProblem)}
          >
            {pin === undefined ? 'Pin' : 'Pin this instead'}
          </Button>
        )}
      </div>
      {tried.error !== null && (
        <p className={classes.error} role="alert">
          {problemOf(tried.error).detail}
        </p>
      )}
      {tried.data !== undefined && <Tried drawn={drawn} tried={tried.data} />}
      {pin !== undefined && <PinnedOutput drawn={drawn} pin={pin} pinning={pinning} />}
      {pin === undefined && isWriting && (
        <WrittenOutput drawn={drawn} pinning={pinning} onClose={() => setWriting(false)} />
      )}
    </div>
  )
}

function Tried({
  drawn: { outputs: ports },
  tried
}: {
  readonly drawn: DrawnNode
  readonly tried: TriedNode
}) {
  const outputs = Object.entries(tried.outputs ?? {})
  return (
    <>
      <p className={classes.source} role="status">
        {tried.status === 'succeeded' ? 'Tried by itself' : 'Tried by itself, and failed'},{' '}
        {duration(tried.duration_ms)}
      </p>
      {tried.error !== null && (
        <p className={classes.error} role="alert">
          {tried.error.message}
        </p>
      )}
      {outputs.map(([name, value]) => {
        const port = ports.find((each) => each.name === name)?.port
        const title = port?.title ?? name
        return (
          <div key={name} className={classes.value} data-tried-output={name}>
            {ports.length > 1 && <h4>{title}</h4>}
            {/* The same output of the shown run may stand below it. */}
            <PortValue value={value} label={`${title}, tried`} port={port} />
          </div>
        )
      })}
      <NodeLog lines={tried.logs} />
    </>
  )
}
