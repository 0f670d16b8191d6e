import { lazy, Suspense, useState } from 'react'
import { connectionUses, stateOfUse } from '../../../../src/flows/validate/connection-uses.ts'
import { useComponents } from '../../api/components.ts'
import { useVisibleConnections } from '../../api/connections.ts'
import type { NewConnection } from '../../connection-forms/connection-dialog.tsx'
import { type MissingConnection, missingConnections } from '../../connection-forms/missing-connections.ts'
import { MissingList } from '../../connection-forms/missing-list.tsx'
import classes from './new-flow-dialog.module.css'
import type { FlowTemplate } from './templates/flow-template.ts'

// Loaded when somebody makes one.
const ConnectionDialog = lazy(async () => {
  const { ConnectionDialog } = await import('../../connection-forms/connection-dialog.tsx')
  return { default: ConnectionDialog }
})

/** The connections that a template names and its context has not; undefined until it is known. */
export function useTemplateNeeds(
  template: FlowTemplate | undefined,
  context: string
): readonly MissingConnection[] | undefined {
  const { data: components } = useComponents(context)
  const { data: seen } = useVisibleConnections(context)
  if (template === undefined) return []
  if (components === undefined || seen === undefined) return undefined
  const fieldsOf = (type: string) => components.find((one) => one.type === type)?.fields
  const uses = connectionUses(template.document, fieldsOf).map(({ node, name, kinds }) => ({
    node,
    name,
    kinds,
    state: stateOfUse(
      { kinds },
      seen.find((one) => one.name === name)
    )
  }))
  return missingConnections(uses)
}

interface TemplateNeedsProps {
  readonly needs: readonly MissingConnection[]
  readonly context: string
}

/** Asked for before the flow is made: a first run without them would fail. */
export function TemplateNeeds({ needs, context }: TemplateNeedsProps) {
  const [wanted, setWanted] = useState<NewConnection>()
  if (needs.length === 0) return null
  return (
    <section aria-label="Connections that it needs" className={classes.needs}>
      <p>
        It reaches other services. Create what it needs first, or later: until then the flow is a draft, of
        which nothing is live.
      </p>
      <MissingList
        missing={needs}
        context={context}
        onMake={({ name, kinds }) => setWanted({ name, context, kinds })}
      />
      {wanted !== undefined && (
        <Suspense fallback={null}>
          <ConnectionDialog subject={wanted} onClose={() => setWanted(undefined)} />
        </Suspense>
      )}
    </section>
  )
}
