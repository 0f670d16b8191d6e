/** Which runs are chosen: some by their ids, or all that match the filter, also those that were never loaded. */
export type Selection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'all' }

export const NOTHING_CHOSEN: Selection = { kind: 'some', ids: new Set() }

export function isChosen(selection: Selection, id: string): boolean {
  return selection.kind === 'all' || selection.ids.has(id)
}

export function isEmpty(selection: Selection): boolean {
  return selection.kind === 'some' && selection.ids.size === 0
}

/** Chooses or leaves out some rows; from all that match, the rest of the loaded ones stay chosen. */
export function choose(
  selection: Selection,
  { ids, loaded, isOn }: { ids: Iterable<string>; loaded: Iterable<string>; isOn: boolean }
): Selection {
  if (selection.kind === 'all' && isOn) return selection
  const next = new Set(selection.kind === 'all' ? loaded : selection.ids)
  for (const id of ids) {
    if (isOn) next.add(id)
    else next.delete(id)
  }
  return { kind: 'some', ids: next }
}
