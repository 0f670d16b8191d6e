import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export function ShownNotifications() {
  return <Notifications position="bottom-right" />
}
