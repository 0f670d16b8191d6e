import { Button, Group, Modal, Stack } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '../../api/api-context.ts'
import { connectionUsesQuery } from '../../api/connections.ts'
import type { Flow } from '../../api/shapes.ts'
import { ConnectionDialog, type NewConnection } from '../../connection-forms/connection-dialog.tsx'
import { type MissingConnection, missingConnections } from '../../connection-forms/missing-connections.ts'
import { MissingList } from '../../connection-forms/missing-list.tsx'
import classes from './imported-dialog.module.css'

interface ImportedDialogProps {
  readonly flows: readonly Flow[]
  readonly onClose: () => void
}

interface Incomplete {
  readonly flow: Flow
  readonly missing: readonly MissingConnection[]
}

/** What imported flows miss where they are now. It shows nothing as long as they miss nothing. */
export function ImportedDialog({ flows, onClose }: ImportedDialogProps) {
  const incomplete = useIncomplete(flows)
  const [shown, setShown] = useState<readonly Flow[]>([])
  const [making, setMaking] = useState<NewConnection>()
  // One that was incomplete stays, with a word that it misses nothing any more: a list that loses its lines under the
  // pointer lets people press what they did not mean.
  const news = incomplete.filter(({ flow, missing }) => missing.length > 0 && !shown.includes(flow))
  if (news.length > 0) setShown([...shown, ...news.map(({ flow }) => flow)])
  if (shown.length === 0) return null
  return (
    <>
      <Modal opened={making === undefined} onClose={onClose} title="Missing connections" size="lg">
        <Stack gap="md">
          {incomplete
            .filter(({ flow }) => shown.includes(flow))
            .map(({ flow, missing }) => (
              <section key={flow.id} aria-label={flow.name}>
                <p className={classes.lead}>
                  <Link to={`/flows/${flow.id}`}>{flow.name}</Link>{' '}
                  {missing.length === 0
                    ? 'has all the connections that it uses.'
                    : `was imported. It uses connections that do not exist in ${flow.context}; its steps fail until they are created.`}
                </p>
                <MissingList
                  missing={missing}
                  context={flow.context}
                  onMake={({ name, kinds }) => setMaking({ name, kinds, context: flow.context })}
                />
              </section>
            ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </Group>
        </Stack>
      </Modal>
      <ConnectionDialog subject={making} onClose={() => setMaking(undefined)} />
    </>
  )
}

function useIncomplete(flows: readonly Flow[]): Incomplete[] {
  const api = useApi()
  const answers = useQueries({ queries: flows.map(({ id }) => connectionUsesQuery(api, id)) })
  return flows.map((flow, index) => ({ flow, missing: missingConnections(answers[index]?.data ?? []) }))
}
