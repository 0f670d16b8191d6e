import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { ApiContext } from './api/api-context.ts'
import type { Api } from './api/client.ts'
import { ConfirmProvider } from './design/confirm.tsx'
import { styleNonce } from './design/style-nonce.ts'
import { cssVariables, theme } from './design/theme.ts'
import type { createRoutes } from './routes.tsx'
import { CommandContext, type CommandRegistry } from './shell/commands.ts'
import { LazyNotifications } from './shell/lazy-notifications.tsx'

interface AppProps {
  readonly api: Api
  readonly queries: QueryClient
  readonly commands: CommandRegistry
  readonly router: ReturnType<typeof createRoutes>
}

/** The page: its parts are made in main.tsx and given to everything below. */
export function App({ api, queries, commands, router }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queries}>
        <ApiContext value={api}>
          <CommandContext value={commands}>
            <ConfirmProvider>
              <LazyNotifications />
              <RouterProvider router={router} />
            </ConfirmProvider>
          </CommandContext>
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
