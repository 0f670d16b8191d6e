// Runs before the first paint, so that a page in dark colours never flashes in light ones. The policy of the page
// allows no inline script, hence a file of its own. The name of the item is Mantine's, which reads and writes it.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value') || 'auto'
  } catch {
    // Storage is blocked: the system's choice is a good one.
  }
  const isDark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
