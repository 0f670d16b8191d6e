import { useLayoutEffect, useState } from 'react'

/**
 * For a dialog that is loaded when it is first opened: Mantine's learns where the focus was, to give it back, when it
 * goes from closed to open, and not when it is open from the beginning.
 */
export function useOpenedAfterMount(isOpen: boolean): boolean {
  const [opened, setOpened] = useState(false)
  useLayoutEffect(() => setOpened(isOpen), [isOpen])
  return opened
}
