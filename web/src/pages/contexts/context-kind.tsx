import type { ContextFacts } from '../../api/contexts.ts'
import { IconFolder, IconPlug, IconWorld } from '../../design/icons/page-icons.ts'

interface KindAppearance {
  readonly word: string
  readonly Icon: typeof IconPlug
}

/** Who made a context: told by icon and word, and in the picture by the line around it. */
export function kindAppearance({ path, kind }: Pick<ContextFacts, 'path' | 'kind'>): KindAppearance {
  if (path === '/') return { word: 'The root', Icon: IconWorld }
  return kind === 'code'
    ? { word: 'Made by a plugin', Icon: IconPlug }
    : { word: 'Made here', Icon: IconFolder }
}
