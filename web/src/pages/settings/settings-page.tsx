import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'

export function SettingsPage() {
  return (
    <Page>
      <PageHeader title="Settings" />
    </Page>
  )
}
