import { Button } from '@mantine/core'
import { useMayAdminister } from '../../../connection-forms/use-administered.ts'
import { IconEdit } from '../../../design/icons/page-icons.ts'
import { connectionStandings } from '../../../editor/connection-lookup/connection-standing.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useEditorState } from '../editor-context.ts'
import { useAround } from './use-around.ts'
import { useChangeConnection } from './use-change-connection.ts'

/** Leads from a step that was not let in to the connections that it signs in with. */
export function MendConnection({ node }: { readonly node: Node }) {
  const catalogue = useEditorState((state) => state.catalogue)
  const around = useAround()
  const mayAdminister = useMayAdminister()
  const change = useChangeConnection()
  if (around === undefined) return null
  return connectionStandings({ nodes: [node] }, catalogue, around).map(
    ({ field, seen }) =>
      seen !== undefined &&
      mayAdminister(seen.context) && (
        <Button
          key={field}
          size="compact-sm"
          variant="default"
          leftSection={<IconEdit size={14} aria-hidden />}
          onClick={() => void change(seen)}
        >
          Change “{seen.name}”
        </Button>
      )
  )
}
