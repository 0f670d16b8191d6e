import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'

export function FlowsPage() {
  return (
    <Page>
      <PageHeader title="Flows" />
    </Page>
  )
}
