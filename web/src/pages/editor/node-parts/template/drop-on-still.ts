import { insertKey } from '../../../../editor/template/insert-key.ts'
import { draggedPath } from './insert-variable.ts'

/**
 * A key that is dropped on a template before its editor is there. The editor itself takes a drop at its place, and
 * says so by having prevented what the browser would do.
 */
export function dropOnStill(
  event: React.DragEvent,
  value: string,
  onChange: (template: string) => void
): void {
  const path = event.defaultPrevented ? undefined : draggedPath(event.dataTransfer.getData('text/plain'))
  if (path === undefined) return
  event.preventDefault()
  const at = offsetAtPoint(event.currentTarget, event.clientX, event.clientY) ?? value.length
  const insertion = insertKey(value, at, path, {})
  if (insertion.message !== undefined) return
  onChange(value.slice(0, insertion.from) + insertion.text + value.slice(insertion.to))
}

/** How many characters of an element's text stand before a point of the window; undefined outside of the text. */
function offsetAtPoint(element: Element, x: number, y: number): number | undefined {
  const place = document.caretPositionFromPoint?.(x, y)
  if (place == null || !element.contains(place.offsetNode)) return undefined
  const before = document.createRange()
  before.setStart(element, 0)
  before.setEnd(place.offsetNode, place.offset)
  return before.toString().length
}
