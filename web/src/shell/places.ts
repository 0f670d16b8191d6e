import {
  IconBook,
  IconHelp,
  IconHierarchy2,
  IconKey,
  IconListDetails,
  IconPlug,
  IconSettings,
  IconTopologyStar3,
  IconUserCheck
} from '../design/icons/page-icons.ts'

/** The places of the navigation. */
export const PLACES = [
  { to: '/flows', title: 'Flows', keys: 'g f', Icon: IconTopologyStar3 },
  { to: '/runs', title: 'Runs', keys: 'g r', Icon: IconListDetails },
  { to: '/approvals', title: 'Approvals', keys: 'g a', Icon: IconUserCheck },
  { to: '/contexts', title: 'Contexts', keys: 'g c', Icon: IconHierarchy2 },
  { to: '/connections', title: 'Connections', keys: 'g n', Icon: IconPlug },
  { to: '/knowledge', title: 'Knowledge', keys: 'g w', Icon: IconBook },
  { to: '/keys', title: 'Keys', keys: 'g k', Icon: IconKey },
  { to: '/settings', title: 'Settings', keys: 'g s', Icon: IconSettings },
  { to: '/help', title: 'Help', keys: 'g h', Icon: IconHelp }
] as const
