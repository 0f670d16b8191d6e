import { Button } from '@mantine/core'
import { useSession } from '../../api/session.ts'
import { IconLogout } from '../../design/icons/page-icons.ts'
import { RelativeTime } from '../../design/relative-time.tsx'
import { useSignOut } from '../../shell/sign-out.ts'
import { Setting, SettingGroup } from './setting.tsx'

/** Who is signed in, and with which rights. */
export function SessionPanel() {
  const session = useSession()
  const signOut = useSignOut()
  if (session === undefined) return null
  const { name, rights, flow_id, context, expires_at } = session
  const reach =
    flow_id !== null
      ? 'One flow'
      : context !== null && context !== '/'
        ? `${context} and below`
        : 'Everything'
  return (
    <SettingGroup title="Session">
      <Setting name="Key">{name}</Setting>
      <Setting name="Rights">{rights.join(', ')}</Setting>
      <Setting name="Reach">{reach}</Setting>
      {expires_at !== null && (
        <Setting name="Ends">
          <RelativeTime at={expires_at} />
        </Setting>
      )}
      <Setting name="Sign out" help="The key itself stays valid.">
        <Button variant="default" leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          Sign out
        </Button>
      </Setting>
    </SettingGroup>
  )
}
