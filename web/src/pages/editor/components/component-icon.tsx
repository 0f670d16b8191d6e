import {
  IconArrowsShuffle,
  IconArrowsSplit,
  IconBell,
  IconBolt,
  IconBraces,
  IconCalendar,
  IconClock,
  IconCloud,
  IconCurrencyDollar,
  IconDatabase,
  IconFileText,
  IconFilter,
  IconForms,
  IconGitBranch,
  IconHash,
  IconMail,
  IconMathFunction,
  IconMessage,
  IconMessage2,
  IconMessageCircle,
  IconPuzzle,
  IconRobot,
  IconSend,
  IconShoppingCart,
  IconSparkles,
  IconTemplate,
  IconTool,
  IconTypography,
  IconUsers
} from '../../../design/icons/component-icons.ts'
import { IconFrame, IconGitMerge, IconNote, IconWebhook } from '../../../design/icons/editor-icons.ts'
import {
  IconChartBar,
  IconCode,
  IconKey,
  IconLink,
  IconListDetails,
  IconLock,
  IconMapPin,
  IconPhoto,
  IconPlug,
  IconRepeat,
  IconSearch,
  IconTable,
  IconUser,
  IconWorld
} from '../../../design/icons/page-icons.ts'

/** The names that a component may give as its icon. Another name shows the piece of a puzzle. */
const ICONS: Readonly<Record<string, typeof IconPuzzle>> = {
  'bar-chart': IconChartBar,
  bell: IconBell,
  bot: IconRobot,
  braces: IconBraces,
  calendar: IconCalendar,
  'chart-bar': IconChartBar,
  clock: IconClock,
  cloud: IconCloud,
  code: IconCode,
  database: IconDatabase,
  dollar: IconCurrencyDollar,
  file: IconFileText,
  'file-text': IconFileText,
  filter: IconFilter,
  form: IconForms,
  function: IconMathFunction,
  'git-branch': IconGitBranch,
  'git-merge': IconGitMerge,
  globe: IconWorld,
  group: IconFrame,
  hash: IconHash,
  image: IconPhoto,
  key: IconKey,
  link: IconLink,
  list: IconListDetails,
  lock: IconLock,
  mail: IconMail,
  map: IconMapPin,
  message: IconMessage,
  'message-circle': IconMessageCircle,
  'message-square': IconMessage2,
  'message-square-text': IconTemplate,
  note: IconNote,
  plug: IconPlug,
  repeat: IconRepeat,
  search: IconSearch,
  send: IconSend,
  'shopping-cart': IconShoppingCart,
  shuffle: IconArrowsShuffle,
  sparkles: IconSparkles,
  split: IconArrowsSplit,
  table: IconTable,
  text: IconTypography,
  tool: IconTool,
  user: IconUser,
  users: IconUsers,
  webhook: IconWebhook,
  world: IconWorld,
  zap: IconBolt
}

interface ComponentIconProps {
  readonly name: string | null | undefined
  readonly size?: number
}

export function ComponentIcon({ name, size = 18 }: ComponentIconProps) {
  const Icon = name !== null && name !== undefined && Object.hasOwn(ICONS, name) ? ICONS[name]! : IconPuzzle
  return <Icon size={size} stroke={1.7} aria-hidden />
}
