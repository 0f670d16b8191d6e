export function hasUnreleased(text: string): boolean
export function dateOf(text: string, version: string): string | undefined
export function releaseChangelog(text: string, version: string, date: string): string
