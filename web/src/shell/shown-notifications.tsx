import { Notifications } from '@mantine/notifications'
// After the component: what this changes of Mantine's own styles has to stand behind them.
import '@mantine/notifications/styles.layer.css'

export function ShownNotifications() {
  return <Notifications position="bottom-right" />
}
