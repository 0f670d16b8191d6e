import type { ConnectionPreset } from '../api/connections.ts'
import type { ConnectionDraft } from './connection-draft.ts'

/** The draft with what a preset says of its service. What was typed for another one does not come along. */
export function draftWithPreset(
  draft: ConnectionDraft,
  preset: ConnectionPreset | undefined
): ConnectionDraft {
  const isNamedSo = draft.name.trim() === '' || draft.name === draft.settings.preset
  if (preset === undefined) return { ...draft, name: isNamedSo ? '' : draft.name, settings: {}, secrets: {} }
  return {
    ...draft,
    kind: 'http',
    name: isNamedSo ? preset.id : draft.name,
    settings: { ...preset.settings, preset: preset.id },
    secrets: {}
  }
}

/** The one that a connection was made by, or that one of this name is meant to be. */
export function presetFor(
  presets: readonly ConnectionPreset[],
  { name, settings }: Pick<ConnectionDraft, 'name' | 'settings'>
): ConnectionPreset | undefined {
  return presets.find(({ id }) => id === (settings.preset ?? name))
}
