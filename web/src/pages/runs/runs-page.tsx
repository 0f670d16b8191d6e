import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'

export function RunsPage() {
  return (
    <Page>
      <PageHeader title="Runs" />
    </Page>
  )
}
