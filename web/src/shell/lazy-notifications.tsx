import { type ComponentType, lazy, Suspense } from 'react'
import { pageLoaded } from './page-loaded.ts'

const Shown = lazy(async (): Promise<{ default: ComponentType }> => {
  await pageLoaded()
  try {
    const { ShownNotifications } = await import('./shown-notifications.tsx')
    return { default: ShownNotifications }
  } catch {
    // The service is gone, and the page says so itself.
    return { default: () => null }
  }
})

/** What was done and what was refused. Nobody waits for it: what is told before it is there is shown then. */
export function LazyNotifications() {
  return (
    <Suspense fallback={null}>
      <Shown />
    </Suspense>
  )
}
