export function findBrowser(): string | undefined
export function ensureBrowser(): Promise<void>

/** How it is started. */
export const browserFlags: string[]
