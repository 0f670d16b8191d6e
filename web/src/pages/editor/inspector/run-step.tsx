import { Button } from '@mantine/core'
import { problemOf } from '../../../api/problem.ts'
import { type TriedNode, useRunNode } from '../../../api/run-node.ts'
import { duration } from '../../../design/format-time.ts'
import { IconPlayerPlay } from '../../../design/icons/page-icons.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { PortValue } from '../node-parts/output/port-value.tsx'
import { whenSaved } from '../save/when-saved.ts'
import { useSaving } from '../session/saving-context.ts'
import classes from './inspector.module.css'

/** Runs this node alone, as it is drawn, with what came to it last. What comes of it is seen here and kept nowhere. */
export function RunStep({ drawn }: { readonly drawn: DrawnNode }) {
  const editor = useEditor()
  const saving = useSaving()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const tried = useRunNode(editor.flowId, drawn.node.id)
  if (isReadOnly) return null
  return (
    <div className={classes.tried} data-tried={tried.data?.status}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        loading={tried.isPending}
        title="With what came to it last. Nothing is stored, and no other node runs."
        onClick={() => tried.mutate(() => whenSaved(editor, saving))}
      >
        Run this step
      </Button>
      {tried.error !== null && (
        <p className={classes.error} role="alert">
          {problemOf(tried.error).detail}
        </p>
      )}
      {tried.data !== undefined && <Tried drawn={drawn} tried={tried.data} />}
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
      <p className={classes.from} role="status">
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
            <PortValue value={value} label={title} port={port} />
          </div>
        )
      })}
    </>
  )
}
