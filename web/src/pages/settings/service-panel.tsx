import { useSettings } from '../../api/service.ts'
import { useSession } from '../../api/session.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { LoadingState } from '../../design/loading-state.tsx'
import { Setting, SettingGroup } from './setting.tsx'
import { settingWords } from './setting-words.ts'

/** What the operator has set, and by which variable: for whoever administers all of the service. */
export function ServicePanel() {
  const session = useSession()
  const isBound = session?.flow_id != null || (session?.context ?? '/') !== '/'
  const isAsked = session?.rights.includes('admin') === true && !isBound
  const settings = useSettings(isAsked)
  if (!isAsked) return null
  return (
    <SettingGroup title="Retention, storage and limits">
      {settings.isPending && <LoadingState rows={6} height={40} />}
      {settings.error !== null && settings.data === undefined && (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.data?.map((setting) => {
        const { title, help, text } = settingWords(setting)
        return (
          <Setting
            key={setting.name}
            name={title}
            help={
              <>
                {help} {setting.default ? 'Default; change it by' : 'Set by'} <code>{setting.name}</code>.
              </>
            }
          >
            {text}
          </Setting>
        )
      })}
    </SettingGroup>
  )
}
