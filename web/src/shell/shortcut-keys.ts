import { useEffect, useRef } from 'react'
import { type Command, shortcutsOf, useAllCommands } from './commands.ts'
import { isHeard, type KeyPlace, matchesPart } from './shortcut.ts'

/** How long the second key of a sequence may take. */
const SEQUENCE_MS = 1200

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Runs commands by their shortcuts, for the whole page. */
export function useShortcutKeys(): void {
  const commands = useAllCommands()
  const before = useRef<{ event: KeyboardEvent; at: number } | undefined>(undefined)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return
      const last = before.current
      const isSequence = last !== undefined && event.timeStamp - last.at < SEQUENCE_MS
      before.current = { event, at: event.timeStamp }
      const command = commands.find((candidate) =>
        isMeant(candidate, event, isSequence ? last.event : undefined)
      )
      if (command === undefined) return
      event.preventDefault()
      before.current = undefined
      command.run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [commands])
}

function isMeant(command: Command, event: KeyboardEvent, previous: KeyboardEvent | undefined): boolean {
  if (command.isHandledElsewhere === true) return false
  if (!command.worksInFields && isDialogOpen()) return false
  const place = placeOf(event.target)
  return shortcutsOf(command).some(
    (keys) => isHeard(keys, place, command.worksInFields) && isPressed(keys, event, previous)
  )
}

function isPressed(keys: string, event: KeyboardEvent, previous: KeyboardEvent | undefined): boolean {
  const parts = keys.split(' ')
  if (!matchesPart(event, parts.at(-1)!, isMac)) return false
  return parts.length === 1 || (previous !== undefined && matchesPart(previous, parts[0]!, isMac))
}

function isModifier(key: string): boolean {
  return ['Shift', 'Control', 'Alt', 'Meta'].includes(key)
}

/** What waits for a press of its own, beside the canvas. The list view is no such thing: its keys are the canvas'; nor are sessions beside a log. */
const PART = 'aside:not([data-beside-log]) :is(button, a, summary, label), [role="menu"]'

function placeOf(target: EventTarget | null): KeyPlace {
  if (isField(target)) return 'field'
  const isPart = target instanceof Element && target.closest(PART) !== null
  return isPart ? 'part' : 'page'
}

/** Also what becomes a field when it is worked with: an editor is loaded then. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="textbox"]') !== null
  )
}

/** A dialog has the keyboard to itself. */
function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null
}
