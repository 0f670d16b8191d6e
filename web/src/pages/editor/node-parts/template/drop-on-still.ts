import { insertKey } from '../../../../editor/template/insert-key.ts'
import { draggedPath } from './insert-variable.ts'

interface WindowPoint {
  readonly clientX: number
  readonly clientY: number
}

/** Where a drop will land, in pixels within the element: a line between two characters, or what a key takes the place of. */
export interface DropMark {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Any key leads to the same place, and which one is dragged is told only when it is dropped. */
const SOME_KEY = ['key']

export function dropMarkAt(element: HTMLElement, template: string, point: WindowPoint): DropMark {
  const insertion = insertKey(template, offsetAt(element, template, point), SOME_KEY, {})
  const { from, to } = 'from' in insertion ? insertion : { from: 0, to: 0 }
  const place = rangeOf(element, from, to).getBoundingClientRect()
  const frame = element.getBoundingClientRect()
  // The canvas is scaled.
  const scale = frame.width / element.offsetWidth || 1
  return {
    left: (place.left - frame.left) / scale - element.clientLeft + element.scrollLeft,
    top: (place.top - frame.top) / scale - element.clientTop + element.scrollTop,
    width: place.width / scale,
    height: place.height / scale
  }
}

/** The template with what was dropped on it; undefined where that was nothing. Text that is not a key drops as it is. */
export function dropInto(
  element: HTMLElement,
  template: string,
  event: WindowPoint & { readonly dataTransfer: DataTransfer }
): string | undefined {
  const text = event.dataTransfer.getData('text/plain')
  if (text === '') return undefined
  const at = offsetAt(element, template, event)
  const path = draggedPath(text)
  const asKey = path === undefined ? undefined : insertKey(template, at, path, {})
  const put = asKey !== undefined && 'from' in asKey ? asKey : { from: at, to: at, text }
  return template.slice(0, put.from) + put.text + template.slice(put.to)
}

/** How many characters of the template stand before a point of the window: all, where the point is beside its text. */
function offsetAt(element: HTMLElement, template: string, { clientX, clientY }: WindowPoint): number {
  const place = document.caretPositionFromPoint?.(clientX, clientY)
  if (place == null || !element.contains(place.offsetNode)) return template.length
  const before = document.createRange()
  before.setStart(element, 0)
  before.setEnd(place.offsetNode, place.offset)
  // Nothing of a placeholder is part of the template.
  return Math.min(before.toString().length, template.length)
}

/** The part of an element's text between two offsets. */
function rangeOf(element: HTMLElement, from: number, to: number): Range {
  const range = document.createRange()
  range.setStart(element, 0)
  range.collapse(true)
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let passed = 0
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const { length } = text as Text
    if (from >= passed && from <= passed + length) range.setStart(text, from - passed)
    if (to >= passed && to <= passed + length) range.setEnd(text, to - passed)
    passed += length
  }
  return range
}
