/** The id of the list with the keys of one input, by that of the field's suggestions. */
export function suggestionsOf(id: string, input: string | undefined): string {
  return input === undefined ? id : `${id}-${input}`
}
