import type { ConnectionKind, ConnectionPreset } from '../api/connections.ts'
import type { ConnectionDraft } from './connection-draft.ts'

/** The draft with what a preset says of its service. What was typed for another one does not come along. */
export function draftWithPreset(
  draft: ConnectionDraft,
  preset: ConnectionPreset | undefined
): ConnectionDraft {
  if (preset === undefined) return draftOfKind(draft, 'http')
  return {
    ...draft,
    kind: 'http',
    name: isNamedByPreset(draft) ? preset.id : draft.name,
    settings: { ...preset.settings, preset: preset.id },
    secrets: {}
  }
}

/** Models, databases and mail servers: people look for them among the services, and each is a kind of its own. */
export function servicesByKind(kinds: readonly ConnectionKind[]): ConnectionKind[] {
  return kinds.filter(({ kind }) => kind !== 'http' && kind !== 'webhook')
}

/** The draft of another kind. What was typed for a preset does not come along. */
export function draftOfKind(draft: ConnectionDraft, kind: string): ConnectionDraft {
  return { ...draft, kind, name: isNamedByPreset(draft) ? '' : draft.name, settings: {}, secrets: {} }
}

function isNamedByPreset({ name, settings }: ConnectionDraft): boolean {
  return name.trim() === '' || name === settings.preset
}

/** The one that a connection was made by, or that one of this name is meant to be. */
export function presetFor(
  presets: readonly ConnectionPreset[],
  { name, settings }: Pick<ConnectionDraft, 'name' | 'settings'>
): ConnectionPreset | undefined {
  return presets.find(({ id }) => id === (settings.preset ?? name))
}
