export const requiredChecks: readonly string[]
export function beginCheck(root: string, name: string): (facts?: object) => void
export function passedChecks(root: string, tree: string): Record<string, { readonly at: string }>
