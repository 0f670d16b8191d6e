import { useStore } from '@xyflow/react'
import { useMemo } from 'react'
import { judgeWire, type Verdict } from '../../../editor/wiring/judge-wire.ts'
import { useEditorState } from '../editor-context.ts'
import { handleOf } from '../wiring/handle-of.ts'
import classes from './canvas.module.css'

const HINT_WIDTH = 290

/** Says why a wire that is dragged over a port does not fit, or what it would stand beside. */
export function WireHint() {
  const connection = useStore((state) => state.connection)
  const width = useStore((state) => state.width)
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const from = connection.inProgress ? handleOf(connection.fromHandle) : undefined
  const to = connection.inProgress ? handleOf(connection.toHandle) : undefined
  const [fromKey, toKey] = [JSON.stringify(from), JSON.stringify(to)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say which ports are meant; the objects change with the pointer.
  const hint = useMemo(() => {
    if (from === undefined || to === undefined || fromKey === toKey) return undefined
    return hintOf(judgeWire(flow, catalogue, from, to))
  }, [flow, catalogue, fromKey, toKey])
  if (!connection.inProgress || hint === undefined) return null
  return (
    <div
      className={classes.hint}
      role="status"
      data-refused={hint.isRefusal || undefined}
      // Beside the pointer, and within the canvas.
      style={{
        left: Math.min(connection.to.x + 18, width - HINT_WIDTH - 8),
        top: connection.to.y + 18,
        width: HINT_WIDTH
      }}
    >
      {hint.message}
    </div>
  )
}

function hintOf(verdict: Verdict): { readonly message: string; readonly isRefusal: boolean } | undefined {
  if (!verdict.fits) return { message: verdict.message, isRefusal: true }
  const [first] = verdict.besides
  if (first === undefined) return undefined
  const others = verdict.besides.length === 1 ? `that from ${first.from}` : `${verdict.besides.length} others`
  return {
    message: `Feeds this input besides ${others}: the first wire that carries a value counts.`,
    isRefusal: false
  }
}
