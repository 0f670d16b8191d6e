import { Anchor } from '@mantine/core'
import { useApi } from '../../api/api-context.ts'
import { useHealth, useServiceFacts } from '../../api/service.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { IconCircleCheck, IconCircleX } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Setting, SettingGroup } from './setting.tsx'
import classes from './settings-page.module.css'

const STORES: Readonly<Record<string, string>> = {
  sqlite: 'Embedded (SQLite)',
  embedded: 'Embedded (SQLite)',
  postgres: 'PostgreSQL'
}

export function AboutPanel() {
  const api = useApi()
  const facts = useServiceFacts()
  return (
    <SettingGroup title="About">
      {facts.isPending && <LoadingState rows={4} height={40} />}
      {facts.error !== null && facts.data === undefined && (
        <ErrorState error={facts.error} onRetry={() => void facts.refetch()} />
      )}
      {facts.data !== undefined && (
        <>
          <Setting name="Health" help="Whether requests are accepted: the store can be written.">
            <HealthMark />
          </Setting>
          <Setting name="Version">Millrace {facts.data.version}</Setting>
          <Setting name="Store">{STORES[facts.data.store] ?? facts.data.store}</Setting>
          <Setting name="Runtime">Node {facts.data.node}</Setting>
          <Setting name="Address">
            <code>{api.base}</code>
          </Setting>
          <Setting name="API" help="Described as OpenAPI 3.1.">
            <Anchor href={api.address('openapi.json')} target="_blank" rel="noreferrer">
              openapi.json
            </Anchor>
          </Setting>
        </>
      )}
    </SettingGroup>
  )
}

function HealthMark() {
  const { data, error } = useHealth()
  if (data === undefined && error === null) return <span>Asking…</span>
  const isGood = data?.isReady === true && error === null
  const Picture = isGood ? IconCircleCheck : IconCircleX
  return (
    <span className={classes.health} data-good={isGood || undefined} role="status">
      <Picture size={16} aria-hidden />
      {isGood ? 'Ready' : (data?.detail ?? 'Not reachable')}
    </span>
  )
}
