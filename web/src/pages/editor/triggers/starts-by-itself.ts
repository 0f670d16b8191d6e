import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'

/** They wait for somebody to ask, and so cannot fail to start. */
const ASKED: readonly (string | null)[] = [null, 'webhook', 'form', 'chat']

/** Whether its nodes start runs without being asked: a Schedule, a trigger of a plugin. */
export function startsByItself(component: Pick<ComponentFacts, 'trigger'> | undefined): boolean {
  return component !== undefined && !ASKED.includes(component.trigger)
}
