import { createContext, lazy, Suspense, useContext, useMemo, useState } from 'react'
import type { Connection } from '../../../api/connections.ts'
import type { NewConnection } from '../../../connection-forms/connection-dialog.tsx'

// Loaded when somebody makes one: most who open a flow do not.
const ConnectionDialog = lazy(async () => {
  const { ConnectionDialog } = await import('../../../connection-forms/connection-dialog.tsx')
  return { default: ConnectionDialog }
})

/** Opens the form of a new connection, or of one that is there; `onDone` gets what was made of it. */
type MakeConnection = (wanted: NewConnection | Connection, onDone?: (made: Connection) => void) => void

interface Wanted {
  readonly subject: NewConnection | Connection
  readonly onDone: ((made: Connection) => void) | undefined
}

const MakeConnectionContext = createContext<MakeConnection>(() => undefined)

export function useMakeConnection(): MakeConnection {
  return useContext(MakeConnectionContext)
}

/** One dialog for all nodes. It stands beside the canvas: a node that goes out of sight must not take it along. */
export function MakeConnectionProvider({ children }: { readonly children: React.ReactNode }) {
  const [wanted, setWanted] = useState<Wanted>()
  const make = useMemo<MakeConnection>(() => (subject, onDone) => setWanted({ subject, onDone }), [])
  return (
    <MakeConnectionContext value={make}>
      {children}
      {wanted !== undefined && (
        <Suspense fallback={null}>
          <ConnectionDialog
            subject={wanted.subject}
            onClose={() => setWanted(undefined)}
            {...(wanted.onDone === undefined ? {} : { onDone: wanted.onDone })}
          />
        </Suspense>
      )}
    </MakeConnectionContext>
  )
}
