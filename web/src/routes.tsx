import { createBrowserRouter, Navigate } from 'react-router'
import { NotFound } from './pages/not-found.tsx'
import { PageFailed } from './pages/page-failed.tsx'
import { SignedIn } from './shell/signed-in.tsx'

/** Every page is loaded when it is first opened: the first view has to stay small. */
export function createRoutes(basename: string) {
  return createBrowserRouter(
    [
      {
        path: '/sign-in',
        lazy: { Component: async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage },
        HydrateFallback,
        ErrorBoundary: PageFailed
      },
      {
        path: '/',
        Component: SignedIn,
        HydrateFallback,
        ErrorBoundary: PageFailed,
        children: [
          { index: true, element: <Navigate to="/flows" replace /> },
          {
            ErrorBoundary: PageFailed,
            children: [
              {
                path: 'flows',
                lazy: { Component: async () => (await import('./pages/flows/flows-page.tsx')).FlowsPage }
              },
              {
                path: 'flows/:flow',
                lazy: { Component: async () => (await import('./pages/editor/editor-page.tsx')).EditorPage }
              },
              {
                path: 'flows/:flow/playground',
                lazy: {
                  Component: async () =>
                    (await import('./pages/playground/playground-page.tsx')).PlaygroundPage
                }
              },
              {
                path: 'flows/:flow/runs',
                lazy: { Component: async () => (await import('./pages/runs/runs-page.tsx')).RunsPage }
              },
              {
                path: 'runs',
                lazy: { Component: async () => (await import('./pages/runs/runs-page.tsx')).RunsPage }
              },
              {
                path: 'runs/:run',
                lazy: { Component: async () => (await import('./pages/run/run-page.tsx')).RunPage }
              },
              {
                path: 'contexts',
                lazy: {
                  Component: async () => (await import('./pages/contexts/contexts-page.tsx')).ContextsPage
                }
              },
              {
                path: 'keys',
                lazy: { Component: async () => (await import('./pages/keys/keys-page.tsx')).KeysPage }
              },
              {
                path: 'settings',
                lazy: {
                  Component: async () => (await import('./pages/settings/settings-page.tsx')).SettingsPage
                }
              },
              { path: '*', Component: NotFound }
            ]
          }
        ]
      }
    ],
    { basename }
  )
}

/** Nothing: the page of the address comes within a moment. */
function HydrateFallback() {
  return null
}
