import { useEffect, useRef } from 'react'

/**
 * A row that was just added takes the focus: what is typed next is meant for it. `added` is called with the click that adds
 * it; the rows say what they are by `data-row`.
 */
export function useFocusAdded<Room extends HTMLElement>() {
  const room = useRef<Room>(null)
  const isWanted = useRef(false)
  useEffect(() => {
    if (!isWanted.current) return
    const field = [...(room.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].at(-1)
    const input = field?.querySelector<HTMLInputElement>('input:not([type="checkbox"]), textarea, select')
    if (input === null || input === undefined) return
    isWanted.current = false
    input.focus()
    if (input instanceof HTMLInputElement) input.select()
  })
  return {
    room,
    added: () => {
      isWanted.current = true
    }
  }
}
