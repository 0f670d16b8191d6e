export function git(root: string, ...args: string[]): string
export function askGit(root: string, ...args: string[]): string | undefined
