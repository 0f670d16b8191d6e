import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'

export function RunPage() {
  return (
    <Page>
      <PageHeader title="Run" />
    </Page>
  )
}
