import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '../design/empty-state.tsx'
import { IconMapQuestion } from '../design/icons/contexts-icons.ts'
import { Page } from '../design/page.tsx'

export function NotFound() {
  return (
    <Page>
      <EmptyState
        isPage
        icon={IconMapQuestion}
        title="There is no such page"
        actions={
          <Button component={Link} to="/flows">
            Go to the flows
          </Button>
        }
      >
        The address may be mistyped, or what it showed was deleted.
      </EmptyState>
    </Page>
  )
}
