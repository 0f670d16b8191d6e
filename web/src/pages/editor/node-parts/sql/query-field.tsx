import { lazy, Suspense, useMemo, useState } from 'react'
import { isPlainObject } from '../../../../../../src/flows/json/exact-json.ts'
import { useTables } from '../../../../api/tables.ts'
import type { QueryTable } from '../../../../editor/sql/complete-query.ts'
import { useDrawnFlow } from '../../editor-context.ts'
import { FieldControl } from '../../fields/field-control.tsx'
import type { FieldPartProps } from '../../node-part.ts'

const NO_TABLES: readonly QueryTable[] = []

const nothing = () => <></>

/** CodeMirror is loaded when a query is first edited; where it does not arrive, the plain field stays. */
const QueryEditor = lazy(() =>
  import('./code-mirror-query.tsx').then(
    ({ CodeMirrorQuery }) => ({ default: CodeMirrorQuery }),
    () => ({ default: nothing })
  )
)

/** A query on a node: plain text, which becomes an editor when it is entered. */
export function QueryField(props: FieldPartProps) {
  const { node, field, isReadOnly } = props
  const [isOpen, setOpen] = useState(false)
  const [isReady, setReady] = useState(false)
  const context = useDrawnFlow((flow) => flow.context)
  const { connection, parameters } = node.fields
  const name = typeof connection === 'string' ? connection : ''
  const { data: tables = NO_TABLES } = useTables(context, name, { enabled: isOpen })
  const names = useMemo(
    () => [...(isPlainObject(parameters) ? Object.keys(parameters) : []), 'idempotency_key'],
    [parameters]
  )
  const leave = ({ currentTarget: room, relatedTarget }: React.FocusEvent) => {
    if (room.contains(relatedTarget) || room.contains(document.activeElement)) return
    setOpen(false)
    setReady(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside of it is what is worked with.
    <div onFocus={() => setOpen(!isReadOnly)} onBlur={leave}>
      {isOpen && (
        <Suspense fallback={null}>
          <QueryEditor
            value={String(props.value)}
            onChange={props.onChange}
            label={field.title}
            describedBy={props.describedBy}
            tables={tables}
            parameters={names}
            onReady={() => setReady(true)}
          />
        </Suspense>
      )}
      {isReady ? props.faultList : <FieldControl {...props} />}
    </div>
  )
}
