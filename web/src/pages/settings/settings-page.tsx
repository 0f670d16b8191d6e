import { Link } from 'react-router'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { AboutPanel } from './about-panel.tsx'
import { AppearancePanel } from './appearance-panel.tsx'
import { ServicePanel } from './service-panel.tsx'
import { SessionPanel } from './session-panel.tsx'
import { Setting, SettingGroup } from './setting.tsx'

export function SettingsPage() {
  return (
    <Page narrow>
      <PageHeader title="Settings" />
      <AppearancePanel />
      <SessionPanel />
      <ServicePanel />
      <SettingGroup title="Language models">
        <Setting name="Usage, prices and budgets" help="What models cost, by day, model, flow and context.">
          <Link to="/usage">Open</Link>
        </Setting>
      </SettingGroup>
      <AboutPanel />
    </Page>
  )
}
