/** Fills the compile cache where sources have come or changed. */
export function warmCompileCache(): Promise<void>
