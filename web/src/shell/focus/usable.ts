const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]'

/** The first that Tab would reach; before that one of the kind that arrows lead to, where a kind is given. */
export function firstUsable(node: Node, kind?: string): HTMLElement | undefined {
  if (!(node instanceof HTMLElement)) return undefined
  const all = [node, ...node.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (each) => each.matches(CONTROLS) && isUsable(each)
  )
  const alike = kind === undefined ? undefined : all.find((each) => each.matches(kind))
  return alike ?? all.find((each) => each.tabIndex >= 0)
}

/** What is like a part that arrows lead to and Tab does not, as a node of the canvas. */
export function kindOf(element: HTMLElement): string | undefined {
  const role = element.getAttribute('role')
  return role === null || element.tabIndex >= 0 ? undefined : `[role="${role}"][tabindex]`
}

export function isUsable(element: HTMLElement): boolean {
  return isShown(element) && !element.matches(':disabled')
}

export function isBusy(element: HTMLElement): boolean {
  return isShown(element) && element.matches(':disabled')
}

function isShown(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert]') === null
  )
}
