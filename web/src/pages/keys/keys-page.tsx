import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'

export function KeysPage() {
  return (
    <Page>
      <PageHeader title="Keys" />
    </Page>
  )
}
