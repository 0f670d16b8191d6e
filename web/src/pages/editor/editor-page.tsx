import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'

export function EditorPage() {
  return (
    <Page>
      <PageHeader title="Editor" />
    </Page>
  )
}
