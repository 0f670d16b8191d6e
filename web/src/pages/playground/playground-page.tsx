import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'

export function PlaygroundPage() {
  return (
    <Page>
      <PageHeader title="Playground" />
    </Page>
  )
}
