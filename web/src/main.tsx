import '@mantine/core/styles.layer.css'
import './design/tokens.css'
import { notifyManager, QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from './api/client.ts'
import { ApiProblem } from './api/problem.ts'
import { App } from './app.tsx'
import { styleNonce } from './design/style-nonce.ts'
import { createRoutes } from './routes.tsx'
import { CommandRegistry } from './shell/commands.ts'

// From <base href>, which the service writes: the page may be served below the prefix of a host application.
const base = new URL('./', document.baseURI).href
const basename = new URL(base).pathname.replace(/\/$/, '')

// The part that keeps a page from scrolling behind a dialog writes a style, and looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

// By default a form learns a timer later that what it sent is under way. On a busy machine a second click or Enter came
// before that, and sent it again.
notifyManager.setScheduler(queueMicrotask)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays one; only what did not arrive is asked for again.
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
      retryDelay: (failures) => 300 * 2 ** failures,
      // The browser's own idea of being offline is often wrong; live-events.ts knows better.
      networkMode: 'always',
      refetchOnWindowFocus: false
    },
    mutations: { networkMode: 'always' }
  }
})

const router = createRoutes(basename)

const api = createApi({
  base,
  onSignedOut: () => {
    // Somebody who was never signed in is shown the way by the page itself; see signed-in.tsx.
    if (queries.getQueryData(['session']) === undefined) return
    queries.clear()
    const { pathname, search } = router.state.location
    const next = pathname.slice(basename.length) + search
    void router.navigate(`/sign-in?reason=ended&next=${encodeURIComponent(next)}`)
  }
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App api={api} queries={queries} commands={new CommandRegistry()} router={router} />
  </StrictMode>
)
