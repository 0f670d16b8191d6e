type Tagged = { readonly tags?: readonly string[] }

/** The tags that every one of the flows has. */
export function commonTags(flows: readonly Tagged[]): string[] {
  const [first, ...rest] = flows
  return (first?.tags ?? []).filter((tag) => rest.every(({ tags }) => tags?.includes(tag)))
}

/** What has to be added and taken away to come from some tags to others. */
export function tagChanges(before: readonly string[], after: readonly string[]) {
  return {
    add: after.filter((tag) => !before.includes(tag)),
    remove: before.filter((tag) => !after.includes(tag))
  }
}
