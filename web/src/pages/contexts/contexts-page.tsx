import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'

export function ContextsPage() {
  return (
    <Page>
      <PageHeader title="Contexts" />
    </Page>
  )
}
