/** Loads the canvas while somebody is still about to open it. Where that fails, opening it says so. */
export function preloadEditor(): void {
  import('../editor/editor-page.tsx').catch(() => undefined)
}
