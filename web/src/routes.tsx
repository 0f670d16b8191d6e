import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { PageFailed } from './pages/page-failed.tsx'
import { PartNotLoaded } from './pages/part-not-loaded.ts'
import { SignedIn } from './shell/signed-in.tsx'

/** What somebody sees who is signed in. */
const PAGES: RouteObject[] = [
  { path: 'flows', lazy: page(() => import('./pages/flows/flows-page.tsx'), 'FlowsPage') },
  { path: 'flows/:flow', lazy: page(() => import('./pages/editor/editor-page.tsx'), 'EditorPage') },
  {
    path: 'flows/:flow/playground',
    lazy: page(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage')
  },
  { path: 'flows/:flow/runs', lazy: page(() => import('./pages/runs/runs-page.tsx'), 'RunsPage') },
  { path: 'bin', lazy: page(() => import('./pages/bin/bin-page.tsx'), 'BinPage') },
  { path: 'runs', lazy: page(() => import('./pages/runs/runs-page.tsx'), 'RunsPage') },
  { path: 'runs/:run', lazy: page(() => import('./pages/run/run-page.tsx'), 'RunPage') },
  { path: 'approvals', lazy: page(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage') },
  { path: 'contexts', lazy: page(() => import('./pages/contexts/contexts-page.tsx'), 'ContextsPage') },
  {
    path: 'connections',
    lazy: page(() => import('./pages/connection-list/connections-page.tsx'), 'ConnectionsPage')
  },
  { path: 'knowledge', lazy: page(() => import('./pages/knowledge/knowledge-page.tsx'), 'KnowledgePage') },
  {
    path: 'knowledge/:collection',
    lazy: page(() => import('./pages/knowledge/collection-page.tsx'), 'CollectionPage')
  },
  { path: 'usage', lazy: page(() => import('./pages/usage/usage-page.tsx'), 'UsagePage') },
  { path: 'keys', lazy: page(() => import('./pages/keys/keys-page.tsx'), 'KeysPage') },
  { path: 'settings', lazy: page(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage') },
  { path: 'help/*', lazy: page(() => import('./pages/help/help-page.tsx'), 'HelpPage') },
  { path: '*', lazy: page(() => import('./pages/not-found.tsx'), 'NotFound') }
]

export function createRoutes(basename: string) {
  return createBrowserRouter(
    [
      {
        path: '/sign-in',
        lazy: page(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
        HydrateFallback: Nothing,
        ErrorBoundary: PageFailed
      },
      {
        path: '/',
        Component: SignedIn,
        HydrateFallback: Nothing,
        ErrorBoundary: PageFailed,
        children: [
          { index: true, element: <Navigate to="/flows" replace /> },
          // Inside of the shell: where a page fails, the way to the others stays.
          { ErrorBoundary: PageFailed, children: PAGES }
        ]
      }
    ],
    { basename }
  )
}

/**
 * Every page is loaded when it is first opened: the first view has to stay small. By a function and not by the router's
 * `lazy: { Component }`: that one shows nothing at all where a part cannot be loaded.
 */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return async () => {
    try {
      return { Component: (await load())[name] }
    } catch (cause) {
      throw new PartNotLoaded(cause)
    }
  }
}

/** The page of the address comes within a moment. */
function Nothing() {
  return null
}
