import type { ComponentFacts } from '../api/components.ts'
import { type SeenConnection, useVisibleConnections } from '../api/connections.ts'
import { useMay } from '../api/session.ts'

const NONE: readonly SeenConnection[] = []

/**
 * The connections to models that somebody may ask for changes of a flow: none where the context of the flow sees none, or
 * their key may not read, write and test it.
 */
export function useModelConnections(
  context: string,
  component: (type: string) => Pick<ComponentFacts, 'fields'> | undefined
): readonly SeenConnection[] {
  const rights = [useMay('read'), useMay('write'), useMay('trigger')]
  const { data = NONE } = useVisibleConnections(context)
  const field = component('language-model')?.fields.connection
  const kinds = field?.kind === 'connection' ? field.kinds : []
  return rights.every(Boolean) ? data.filter(({ kind }) => kinds.includes(kind)) : NONE
}
