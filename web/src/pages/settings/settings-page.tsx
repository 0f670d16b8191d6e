import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { AboutPanel } from './about-panel.tsx'
import { AppearancePanel } from './appearance-panel.tsx'
import { ServicePanel } from './service-panel.tsx'
import { SessionPanel } from './session-panel.tsx'

export function SettingsPage() {
  return (
    <Page narrow>
      <PageHeader title="Settings" />
      <AppearancePanel />
      <SessionPanel />
      <ServicePanel />
      <AboutPanel />
    </Page>
  )
}
