/** Puts text on the clipboard; false when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Browsers offer the clipboard to secure pages only, and a Millrace in a local network is often served without TLS. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  const holder = document.querySelector('[role="dialog"]') ?? document.body
  holder.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}
